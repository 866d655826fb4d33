import { type JoinRequest, type LedgerClaim, parseJoinRequest, type Role } from '@parley/protocol'
import { toAll, toOthers } from '../inbox/notice.js'
import type { LedgerStep } from '../ledger/ledger-book.js'
import { verifyClaim } from '../ledger/verify-claim.js'
import type { Answer } from './answer.js'
import { change, refuseEnded } from './change.js'
import { readBody, type SessionInbound } from './inbound.js'
import { issueOffer } from './issue-offer.js'
import { answerOffer } from './offer-answer.js'
import { participantKey } from './participant-key.js'
import { refuse, type Refused } from './refuse.js'
import type { Services } from './services.js'
import { type LiveSession, type Offered, seatOf, withSeat } from './session.js'
import { stateAfter } from './states.js'

/**
 * `POST /v1/sessions/ID/join`: takes a seat. With the last one all budgets are reserved and the offer is signed;
 * before it, a join is remembered and nothing more.
 */
export async function joinSession(services: Services, inbound: SessionInbound): Promise<Answer | Refused> {
  const body = readBody(inbound, parseJoinRequest)
  if ('refused' in body) return body
  const { caller, cell, role } = inbound
  if (role === 'initiator') return refuse('role_refused')
  return change(services, cell, {
    live: async (session) =>
      refuseJoin(services, session, inbound, body) ??
      (await joined(
        services,
        inbound,
        withSeat(session, { ...seatOf(session, role), did: caller.did, claim: body.ledger }),
      )),
    // Whoever would have joined learns that it is late only where it was named.
    ended: (session) =>
      seatOf(session, role).did === caller.did ? refuseEnded(session) : refuse('session_unknown'),
  })
}

const refuseJoin = (
  services: Services,
  session: LiveSession,
  { caller, role }: SessionInbound,
  { contract_hash, ledger, nonce }: JoinRequest,
): Refused | undefined => {
  const { did, claim } = seatOf(session, role)
  if (did !== null && did !== caller.did) return refuse('session_unknown')
  if (claim !== null || stateAfter(session.state, 'joined') === undefined) return refuse('state_conflict')
  const others = session.seats.filter((seat) => seat.role !== role)
  // Under another name somebody would confer with itself.
  if (others.some((seat) => seat.did !== null && participantKey(seat.did) === participantKey(caller.did)))
    return refuse('role_refused')
  if (contract_hash !== session.agreement.contractHash) return refuse('contract_mismatch')
  // Another's nonce, sent back: every verifier would refuse such an offer.
  if (others.some((seat) => seat.claim?.nonce === nonce))
    return refuse('ledger_claim_refused', 'nonce_reflected /nonce')
  return verifyClaim(services.keys, ledger, { ...caller, nonce })
}

/** A join that fails leaves nothing behind. */
const joined = (
  services: Services,
  { cell, caller, role }: SessionInbound,
  session: LiveSession,
): Promise<Answer | Refused> =>
  services.ledger.exclusive(async () => {
    const { ledger, table } = services
    const charge = session.agreement.admitted.capacity.charge_millibits
    const no = refuseClaims(services, session, role, charge) ?? table.hasRoomFor(caller.did)
    if (no !== undefined) return no
    const claims = session.seats.flatMap(({ claim }) => claim ?? [])
    if (claims.length < session.seats.length) {
      const { inbox, store } = services
      const joined = toOthers(session, { event: 'joined', role })
      await inbox.posting(joined, (writes) => store.commit(writes()))
      cell.current = session
    } else {
      const issued = await durableOffer(services, session, { claims, role })
      for (const claim of claims) ledger.reserve(session.id, claim, charge)
      cell.current = { ...session, offered: issued }
    }
    // Whoever joined an open session has a seat from here on, and numbers that must grow.
    cell.seqs.set(caller.did, caller.seq)
    return answerOffer(services, cell.current, role)
  })

/** The joiner's own claim is new; those of the others were checked when they were made. */
const refuseClaims = (
  { ledger }: Services,
  { seats }: LiveSession,
  joining: SessionInbound['role'],
  charge: number,
): Refused | undefined => {
  for (const { role, claim } of seats) {
    if (claim === null) continue
    const no = role === joining ? ledger.check(claim, charge) : ledger.fits(claim, charge)
    if (no !== undefined) return no
  }
  return undefined
}

/** The offer, the first entries of its chains and what the inboxes say of it, in one transaction with its audit entry. */
const durableOffer = async (
  services: Services,
  session: LiveSession,
  { claims, role }: { readonly claims: readonly LedgerClaim[]; readonly role: Role },
): Promise<Offered> => {
  const steps: readonly LedgerStep[] = claims.map((claim) => services.ledger.headFor(claim))
  const offered = issueOffer(
    services,
    session,
    steps.map(({ head }) => head),
  )
  const fields = { session_id: session.id, offer_digest: offered.digest }
  const notices = [...toOthers(session, { event: 'joined', role }), ...toAll(session, { event: 'offered' })]
  await services.inbox.posting(notices, (writes) =>
    services.audit.append({ event: 'session.offered', fields }, () => [
      ...steps.flatMap((step) => step.writes),
      ...services.acquaintance.writes(session.seats.flatMap(({ did }) => did ?? []).map(participantKey)),
      ...writes(),
    ]),
  )
  return offered
}
