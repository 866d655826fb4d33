import { contractHash, type Role } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { type Beginning, beginWith, firstRecord, openingOf } from './begin-session.js'
import { type Invitation, seatFor } from './invitation.js'
import type { Session } from './session.js'

/**
 * Joins a session under the contract that the invitation holds.
 * @param wanted the seat to take; needed only where several are open
 * @throws AgentError `invitation_refused` where it has no such seat for this participant, or the relay is of another
 * lane than it says.
 * @throws RelayRefusal `session_unknown`, `contract_mismatch`, `ledger_head_unknown`, `budget_exhausted`, …
 * @see SPEC §10
 */
export const joinSession = async (
  beginning: Beginning,
  invitation: Invitation,
  wanted: Role | null,
): Promise<Session> => {
  const { session_id: sessionId, contract, seats, lane } = invitation
  const role = seatFor(beginning.identity.did, invitation, wanted)
  if (lane !== beginning.relay.keyset.keyset.lane)
    throw new AgentError('invitation_refused', 'the relay is of another lane than the invitation says')
  const opening = await openingOf(beginning)
  const body = { contract_hash: contractHash(contract), ledger: opening.claim, nonce: opening.nonce }
  await beginWith(beginning, {
    role,
    sessionId,
    path: `/v1/sessions/${sessionId}/join`,
    body,
    seq: opening.seq,
  })
  const record = firstRecord(beginning, opening, { sessionId, role, seats, contract })
  const file = await beginning.state.begin(record)
  const { identity, relay, clock, state } = beginning
  return { identity, relay, file, wallet: state.wallet, clock }
}
