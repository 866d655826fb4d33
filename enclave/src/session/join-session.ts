import { type JoinRequest, type LedgerClaim, parseJoinRequest } from '@parley/protocol'
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

/** `POST /v1/sessions/ID/join`: takes the responder's seat; both budgets are reserved and the offer is signed. */
export async function joinSession(services: Services, inbound: SessionInbound): Promise<Answer | Refused> {
  const body = readBody(inbound, parseJoinRequest)
  if ('refused' in body) return body
  const { caller, cell, role } = inbound
  if (role !== 'responder') return refuse('role_refused')
  return change(services, cell, {
    live: async (session) =>
      refuseJoin(services, session, inbound, body) ??
      (await offered(services, inbound, seated(session, caller.did, body))),
    // Whoever would have joined learns that it is late only where it was named.
    ended: (session) =>
      seatOf(session, 'responder').did === caller.did ? refuseEnded(session) : refuse('session_unknown'),
  })
}

const refuseJoin = (
  services: Services,
  session: LiveSession,
  { caller }: SessionInbound,
  { contract_hash, ledger, nonce }: JoinRequest,
): Refused | undefined => {
  const { did, claim } = seatOf(session, 'responder')
  if (did !== null && did !== caller.did) return refuse('session_unknown')
  if (claim !== null || stateAfter(session.state, 'joined') === undefined) return refuse('state_conflict')
  // Under another name the initiator would confer with itself.
  const own = seatOf(session, 'initiator').did
  if (own !== null && participantKey(own) === participantKey(caller.did)) return refuse('role_refused')
  if (contract_hash !== session.agreement.contractHash) return refuse('contract_mismatch')
  // The initiator's nonce, sent back: every verifier would refuse such an offer.
  if (nonce === seatOf(session, 'initiator').claim?.nonce)
    return refuse('ledger_claim_refused', 'nonce_reflected /nonce')
  return verifyClaim(services.keys, ledger, { ...caller, nonce })
}

const seated = (session: LiveSession, did: string, { ledger }: JoinRequest): LiveSession =>
  withSeat(session, { ...seatOf(session, 'responder'), did, claim: ledger })

/** Both budgets and the offer, in one transaction with its audit entry. A join that fails leaves nothing behind. */
const offered = (
  services: Services,
  { cell, caller, role }: SessionInbound,
  session: LiveSession,
): Promise<Answer | Refused> =>
  services.ledger.exclusive(async () => {
    const { ledger, table } = services
    const charge = session.agreement.admitted.capacity.charge_millibits
    const [first, second] = claimsOf(session)
    const no = ledger.fits(first, charge) ?? ledger.check(second, charge) ?? table.hasRoomFor(caller.did)
    if (no !== undefined) return no
    const issued = await durableOffer(services, session, [ledger.headFor(first), ledger.headFor(second)])
    for (const claim of [first, second]) ledger.reserve(session.id, claim, charge)
    cell.current = { ...session, offered: issued }
    // Whoever joined an open session has a seat from here on, and numbers that must grow.
    cell.seqs.set(caller.did, caller.seq)
    return answerOffer(services, cell.current, role)
  })

const claimsOf = ({ seats: [initiator, responder] }: LiveSession): readonly [LedgerClaim, LedgerClaim] => {
  if (initiator.claim === null || responder.claim === null)
    throw new RangeError('an offer before both seats are taken')
  return [initiator.claim, responder.claim]
}

const durableOffer = async (
  services: Services,
  session: LiveSession,
  [initiator, responder]: readonly [LedgerStep, LedgerStep],
): Promise<Offered> => {
  const offered = issueOffer(services, session, [initiator.head, responder.head])
  const fields = { session_id: session.id, offer_digest: offered.digest }
  const writes = [...initiator.writes, ...responder.writes]
  await services.audit.append({ event: 'session.offered', fields }, () => writes)
  return offered
}
