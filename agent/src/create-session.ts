import { type Contract, contractHash, parseCreated } from '@parley/protocol'
import { type Beginning, beginWith, firstRecord, openingOf } from './begin-session.js'
import type { Invitation } from './invitation.js'
import type { Session } from './session.js'
import type { SessionFile } from './session-file.js'

/** What an initiator proposes, and to whom. */
export type Proposal = {
  readonly contract: Contract
  /**
   * The DIDs of the contract's other participants, in its order; null lets whoever holds the invitation take that seat.
   */
  readonly invited: readonly (string | null)[]
}

/**
 * Creates a session as its initiator.
 * @returns the session, and the invitation to hand over
 * @throws RelayRefusal `contract_refused`, `ledger_head_unknown`, `budget_exhausted`, …
 * @see SPEC §10
 */
export const createSession = async (
  beginning: Beginning,
  { contract, invited }: Proposal,
): Promise<{ session: Session; invitation: Invitation }> => {
  const opening = await openingOf(beginning)
  const body = { contract, invited, ledger: opening.claim, nonce: opening.nonce }
  const answer = await beginWith(beginning, {
    role: 'initiator',
    sessionId: null,
    path: '/v1/sessions',
    body,
    seq: opening.seq,
  })
  const { session_id: sessionId } = parseCreated(answer)
  const seats = [beginning.identity.did, ...invited]
  const record = firstRecord(beginning, opening, { sessionId, role: 'initiator', seats, contract })
  const file = await beginning.state.begin(record)
  const { identity, relay, clock, state } = beginning
  return { session: { identity, relay, file, wallet: state.wallet, clock }, invitation: invitationTo(file) }
}

const invitationTo = ({ record }: SessionFile): Invitation => ({
  version: 'parley-invitation-v1',
  relay: record.relay,
  session_id: record.session_id,
  contract_hash: contractHash(record.contract),
  contract: record.contract,
  seats: record.seats,
  lane: record.lane,
})
