import {
  contractHash,
  type DeclineReason,
  type Invite,
  type Invites,
  parseAccepted,
  parseContract,
  parseInvites,
  parseOffered,
  parseSessionList,
  type SessionList,
} from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { nowSeconds } from '../clock.js'
import { entrySeq } from '../entry-seq.js'
import { exchange } from '../exchange.js'
import { type Invitation, parseInvitation } from '../invitation.js'
import { type Author, type InnerRequest, sealRequest } from '../seal-request.js'
import { type Asker, askAsKey } from './ask-as-key.js'

/** The seats that wait for the asker's key. @throws RelayRefusal @see SPEC §26 */
export const listInvites = async (asker: Asker): Promise<Invites> =>
  parseInvites(await askAsKey(asker, '/v1/invites', 0))

/** The sessions in which the asker's key has a seat. @throws RelayRefusal @see SPEC §26 */
export const listSessions = async (asker: Asker): Promise<SessionList> =>
  parseSessionList(await askAsKey(asker, '/v1/sessions', 0))

/**
 * The invitation to a session in which a seat waits for the asker, with the contract as the relay has it. Its hash is the
 * one that the invite names; what it says is for its reader to judge.
 * @throws AgentError `invitation_refused`
 * @throws RelayRefusal
 */
export const fetchInvitation = async (asker: Asker, sessionId: string): Promise<Invitation> => {
  const invite = await inviteTo(asker, sessionId)
  const path = `/v1/sessions/${sessionId}/offer`
  const { contract } = parseOffered(
    await askAsInvited(asker, invite, { method: 'GET', path, waitSeconds: 0 }),
  )
  if (contractHash(parseContract(contract)) !== invite.contract_hash)
    throw new AgentError('invitation_refused', 'the contract is not the one that the invite names')
  return parseInvitation({
    version: 'parley-invitation-v1',
    relay: asker.relay.url,
    session_id: sessionId,
    contract_hash: invite.contract_hash,
    contract,
    seats: invite.seats,
    lane: asker.relay.keyset.keyset.lane,
  })
}

/**
 * Declines a seat: the session ends for all, with a receipt.
 * @throws AgentError `invitation_refused` where no seat of that session waits
 * @throws RelayRefusal `state_conflict` where it is too late
 */
export const declineInvite = async (
  asker: Asker,
  sessionId: string,
  reason_code: DeclineReason,
): Promise<void> => {
  const invite = await inviteTo(asker, sessionId)
  const path = `/v1/sessions/${sessionId}/decline`
  parseAccepted(await askAsInvited(asker, invite, { method: 'POST', path, body: { reason_code } }))
}

const inviteTo = async (asker: Asker, sessionId: string): Promise<Invite> => {
  const { invites } = await listInvites(asker)
  const found = invites.find(({ session_id }) => session_id === sessionId)
  if (found !== undefined) return found
  throw new AgentError('invitation_refused', 'no invite to that session waits for this key')
}

const askAsInvited = async (
  { identity, relay, clock }: Asker,
  { session_id: sessionId, role }: Invite,
  request: InnerRequest,
) => {
  const seq = entrySeq(clock)
  const author: Author = { identity, role, sessionId, offerDigest: null, seq, nowSeconds: nowSeconds(clock) }
  return exchange(relay, sealRequest(relay.keyset, request, author))
}
