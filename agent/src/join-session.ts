import { contractHash } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { type Beginning, beginWith, firstRecord, openingOf } from './begin-session.js'
import type { Invitation } from './invitation.js'
import type { Session } from './session.js'
import { SessionFile } from './session-file.js'

/**
 * Joins a session as its responder, under the contract that the invitation holds.
 * @throws AgentError `invitation_refused` where the relay is of another lane than the invitation says.
 * @throws RelayRefusal `session_unknown`, `contract_mismatch`, `ledger_head_unknown`, `budget_exhausted`, …
 * @see SPEC §10
 */
export const joinSession = async (beginning: Beginning, invitation: Invitation): Promise<Session> => {
  const { session_id: sessionId, contract, initiator, lane } = invitation
  if (lane !== beginning.relay.keyset.keyset.lane)
    throw new AgentError('invitation_refused', 'the relay is of another lane than the invitation says')
  const opening = await openingOf(beginning)
  const body = { contract_hash: contractHash(contract), ledger: opening.claim, nonce: opening.nonce }
  await beginWith(beginning, { role: 'responder', sessionId, path: `/v1/sessions/${sessionId}/join`, body })
  const record = firstRecord(beginning, opening, { sessionId, role: 'responder', peer: initiator, contract })
  const file = await SessionFile.create(beginning.pathOf(sessionId), record)
  const { identity, relay, clock, wallet } = beginning
  return { identity, relay, file, wallet, clock }
}
