import {
  contractHash,
  type JsonValue,
  type Offered,
  parseContract,
  parseOffered,
  seatOfRole,
} from '@parley/protocol'
import { appraiseOffer, type AppraisedOffer, type ReferenceValue } from '@parley/verifier'
import { AgentError } from './agent-error.js'
import { checkOfferedHead } from './check-offered-head.js'
import { pollUntil } from './poll.js'
import { ask, pathIn, type Session } from './session.js'
import type { SessionRecord } from './session-record.js'

/**
 * Waits for the offer and appraises it: signed by the attested key, over the contract and the nonce that this
 * participant sent, for the participants that it expects, with the capacity that the contract really has, and with a
 * ledger head that continues the one it holds. Only then may it be consented to. That head is held from now on, so
 * that a relay that is rolled back is noticed by a participant that never fetches the result, too.
 * @param waitMs how long to wait for the others to join, in milliseconds
 * @throws AgentError `offer_timeout`; `offer_refused`, `ledger_mismatch` where a term is not as expected
 * @see SPEC §9
 */
export const awaitOffer = async (session: Session, waitMs: number): Promise<AppraisedOffer> => {
  const offered = await pollUntil(session.clock, waitMs, async (waitSeconds) => {
    const answer = await ask(session, { method: 'GET', path: pathIn(session, 'offer'), waitSeconds })
    const read = parseOffered(answer)
    return read.offer === null ? undefined : read
  })
  if (offered === undefined) throw new AgentError('offer_timeout', 'not all have joined yet')
  const offer = appraise(session, offered)
  const entry = checkOfferedHead(session, offer, offered.ledger_entry)
  await session.file.update(() => ({ offer, artefacts: offered.artefacts, ledger_entry: entry }))
  await session.wallet.keep(entry, session.relay.keyset.receiptKey)
  return offer
}

const peersOf = ({ seats, role }: SessionRecord): readonly ReferenceValue<string>[] =>
  seats
    .filter((_, seat) => seat !== seatOfRole(role))
    .map((did) => (did === null ? { any: 'open join' } : { equals: did }))

const appraise = (
  { file, relay, clock }: Session,
  { offer, contract, artefacts }: Offered,
): AppraisedOffer => {
  const { record } = file
  if (contractHash(parseContract(contract)) !== contractHash(record.contract))
    throw new AgentError('offer_refused', 'the session is under another contract')
  const appraisal = appraiseOffer({
    offer: offer satisfies JsonValue,
    keyset: relay.keyset,
    contract: record.contract,
    artefacts,
    ownRole: record.role,
    ownDid: record.did,
    ownNonce: record.nonce,
    peerDids: peersOf(record),
    // The relay's policies are part of its policy bundle, whose hash was appraised with the keyset.
    guardianPolicyHash: { any: 'one of the appraised policy bundle' },
    now: clock.nowMs(),
  })
  if (offer?.session_id !== record.session_id)
    throw new AgentError('offer_refused', 'the offer is of another session')
  if (!appraisal.accepted)
    throw new AgentError(
      'offer_refused',
      `the offer is not as expected: ${appraisal.code} ${appraisal.detail}`,
    )
  return appraisal.offer
}
