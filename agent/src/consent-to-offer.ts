import { offerDigest, parseAccepted, signConsent } from '@parley/protocol'
import type { AppraisedOffer } from '@parley/verifier'
import { ask, pathIn, type Session } from './session.js'

/**
 * Consents to an offer that was appraised. Consenting again to the same offer is harmless.
 * @throws RelayRefusal
 * @see SPEC §9
 */
export const consentToOffer = async (session: Session, offer: AppraisedOffer): Promise<void> => {
  const { role, lane } = session.file.record
  const consent = signConsent({ lane, role, offer_digest: offerDigest(offer) }, session.identity.key)
  const request = { method: 'POST', path: pathIn(session, 'consent'), body: { consent } } as const
  parseAccepted(await ask(session, request, { consent }))
}
