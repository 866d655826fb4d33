import { type Contract, contractHash, parseCreated } from '@parley/protocol'
import { type Beginning, beginWith, firstRecord, openingOf } from './begin-session.js'
import type { Invitation } from './invitation.js'
import type { Session } from './session.js'
import { SessionFile } from './session-file.js'

/** What an initiator proposes, and to whom. */
export type Proposal = {
  readonly contract: Contract
  /** The responder's DID; null lets whoever holds the invitation join. */
  readonly responder: string | null
}

/**
 * Creates a session as its initiator.
 * @returns the session, and the invitation to hand over
 * @throws RelayRefusal `contract_refused`, `ledger_head_unknown`, `budget_exhausted`, …
 * @see SPEC §10
 */
export const createSession = async (
  beginning: Beginning,
  { contract, responder }: Proposal,
): Promise<{ session: Session; invitation: Invitation }> => {
  const opening = await openingOf(beginning)
  const body = { contract, ledger: opening.claim, nonce: opening.nonce, responder }
  const answer = await beginWith(beginning, {
    role: 'initiator',
    sessionId: null,
    path: '/v1/sessions',
    body,
  })
  const { session_id: sessionId } = parseCreated(answer)
  const record = firstRecord(beginning, opening, { sessionId, role: 'initiator', peer: responder, contract })
  const file = await SessionFile.create(beginning.pathOf(sessionId), record)
  const { identity, relay, clock, wallet } = beginning
  return { session: { identity, relay, file, wallet, clock }, invitation: invitationTo(file, identity.did) }
}

const invitationTo = ({ record }: SessionFile, initiator: string): Invitation => ({
  version: 'parley-invitation-v1',
  relay: record.relay,
  session_id: record.session_id,
  contract_hash: contractHash(record.contract),
  contract: record.contract,
  initiator,
  lane: record.lane,
})
