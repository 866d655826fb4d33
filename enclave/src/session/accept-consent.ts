import { type Consent, parseConsentRequest, verifyConsent } from '@parley/protocol'
import { toOthers } from '../inbox/notice.js'
import { acceptedAnswer } from './accepted-answer.js'
import type { Answer } from './answer.js'
import { change } from './change.js'
import { readBody, type SessionInbound } from './inbound.js'
import { orRefuse, refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { type LiveSession, seatOf, withSeat } from './session.js'
import { stateAfter } from './states.js'

/** `POST /v1/sessions/ID/consent`. The same consent again is accepted and changes nothing. */
export async function acceptConsent(services: Services, inbound: SessionInbound): Promise<Answer | Refused> {
  const body = readBody(inbound, parseConsentRequest)
  if ('refused' in body) return body
  const { cell, role } = inbound
  return change(services, cell, {
    live: async (session) => {
      const no = refuseConsent(services, session, inbound, body.consent)
      if (no !== undefined) return no
      if (seatOf(session, role).consent === null) {
        const fields = { session_id: session.id, role }
        await services.inbox.posting(toOthers(session, { event: 'consented', role }), (writes) =>
          services.audit.append({ event: 'session.consented', fields }, writes),
        )
        cell.current = withSeat(session, { ...seatOf(session, role), consent: body.consent })
      }
      return acceptedAnswer(services, cell.current, role)
    },
  })
}

const refuseConsent = (
  { keys }: Services,
  session: LiveSession,
  { caller, role }: SessionInbound,
  consent: Consent,
): Refused | undefined => {
  if (session.offered === null || stateAfter(session.state, 'consented') === undefined)
    return refuse('state_conflict')
  if (consent.offer_digest !== session.offered.digest || caller.offerDigest === null)
    return refuse('offer_stale')
  if (consent.role !== role || consent.lane !== keys.keyset.lane) return refuse('consent_invalid')
  const verified = orRefuse('consent_invalid', () => {
    verifyConsent(consent, caller.publicKey)
    return {}
  })
  if ('refused' in verified) return verified
  const given = seatOf(session, role).consent
  return given === null || given.signature === consent.signature ? undefined : refuse('already_submitted')
}
