import * as v from 'valibot'
import type { Agent } from './agents.js'
import type { AgreedContract } from './agreed-contract.js'
import { type Answer, isRefusal, type Refusal, refuse } from './answer.js'
import type { ApiServices } from './api-services.js'
import { type Call, readMembers } from './call.js'
import { agentOf } from './inbox-agent.js'
import { DECLINE_REASONS, type Invite, inviteDetail, seatOfAgent } from './invite.js'
import { jsonValue } from './json-member.js'
import { openSession } from './open-session.js'
import { freshInviteId } from './random-ids.js'
import { rfc3339 } from './rfc3339.js'
import { hasRoomForContract } from './room-for-contract.js'
import { kindAt } from './session-tokens.js'
import { currentInvite, settleInvite, tellInbox } from './settle-invite.js'

const createBody = v.strictObject({
  to_agent_id: v.string(),
  contract: jsonValue,
  provider: v.nullish(v.string()),
  purpose_code: v.string(),
  from_agent_pubkey: v.nullish(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
})
const acceptBody = v.strictObject({ expected_contract_hash: v.nullish(v.string()) })
const declineBody = v.strictObject({ reason_code: v.nullish(v.picklist(DECLINE_REASONS)) })

/** `POST /invites`. The contract is checked as that of a session is, before its recipient sees it. */
export function createInvite(services: ApiServices, call: Call): Answer {
  const sender = agentOf(services, call)
  if (isRefusal(sender)) return sender
  const body = readMembers(call, createBody)
  if (isRefusal(body)) return body
  const { to_agent_id: to, contract, provider, purpose_code, from_agent_pubkey } = body.read
  const agreed = services.admit(contract, provider ?? undefined)
  if (isRefusal(agreed)) return agreed
  const no = inviteRefusal(agreed, sender.agentId, to, purpose_code)
  if (no !== undefined) return no
  if (!services.invites.hasRoomFor(sender.agentId) || !hasRoomForContract(services, agreed))
    return refuse('unavailable')
  const invite = newInvite(services, sender, to, agreed, from_agent_pubkey ?? sender.publicKeyHex)
  services.invites.put(invite)
  tellInbox(services, invite, to)
  return {
    body: {
      invite_id: invite.id,
      contract_hash: agreed.contractHash,
      status: invite.status,
      expires_at: rfc3339(invite.expiresAt),
    },
  }
}

function inviteRefusal(
  { participants, admitted }: AgreedContract,
  from: string,
  to: string,
  purpose: string,
): Refusal | undefined {
  if (from === to) return refuse('contract_refused', 'cannot send invite to self')
  if (purpose !== admitted.contract.purpose_code)
    return refuse('contract_refused', 'purpose_code does not match the contract')
  return participants.includes(from) && participants.includes(to)
    ? undefined
    : refuse('contract_refused', 'sender and recipient must be the participants of the contract')
}

function newInvite(
  { clock, random }: ApiServices,
  { agentId: from }: Agent,
  to: string,
  agreed: AgreedContract,
  fromPublicKeyHex: string | null,
): Invite {
  const now = clock.nowSeconds()
  return {
    id: freshInviteId(random),
    from,
    to,
    fromPublicKeyHex,
    agreed,
    status: 'PENDING',
    createdAt: now,
    updatedAt: now,
    expiresAt: now + agreed.inviteTtlSecs,
    dueMs: clock.nowMs() + agreed.inviteTtlSecs * 1000,
    declineReason: null,
    sessionId: null,
  }
}

/** `GET /invites/ID`, for its sender and its recipient. */
export function readInvite(services: ApiServices, call: Call, id: string): Answer {
  const own = ownInvite(services, call, id)
  return isRefusal(own) ? own : detailOf(services, own)
}

/** `POST /invites/ID/accept`: opens the session. Accepted again, it gives the same tokens. */
export function acceptInvite(services: ApiServices, call: Call, id: string): Answer {
  const own = ownInvite(services, call, id, 'to')
  if (isRefusal(own)) return own
  const body = readMembers(call, acceptBody)
  if (isRefusal(body)) return body
  const { invite, agentId } = own
  const expected = body.read.expected_contract_hash ?? invite.agreed.contractHash
  if (expected !== invite.agreed.contractHash)
    return refuse('contract_refused', 'expected_contract_hash does not match invite contract')
  const accepted = invite.status === 'ACCEPTED' ? invite : withSession(services, invite)
  return isRefusal(accepted) ? accepted : acceptedBody(services, accepted, agentId)
}

function withSession(services: ApiServices, invite: Invite): Invite | Refusal {
  if (invite.status !== 'PENDING') return conflict('accept', invite)
  const session = openSession(services, invite.agreed)
  if (isRefusal(session)) return session
  return settleInvite(services, invite, { status: 'ACCEPTED', sessionId: session.id })
}

function acceptedBody({ tokens }: ApiServices, invite: Invite, agentId: string): Answer {
  const { sessionId, agreed } = invite
  if (sessionId === null) return refuse('api_failed')
  const seat = seatOfAgent(invite, agentId)
  return {
    body: {
      invite_id: invite.id,
      session_id: sessionId,
      contract_hash: agreed.contractHash,
      // The names are AgentVault's, whichever place in the contract the recipient has.
      responder_submit_token: tokens.of(sessionId, kindAt(seat, 'submit')),
      responder_read_token: tokens.of(sessionId, kindAt(seat, 'read')),
    },
  }
}

/** `POST /invites/ID/decline`. */
export function declineInvite(services: ApiServices, call: Call, id: string): Answer {
  const own = ownInvite(services, call, id, 'to')
  if (isRefusal(own)) return own
  const body = readMembers(call, declineBody)
  if (isRefusal(body)) return body
  const declineReason = body.read.reason_code ?? null
  return settled(services, own, 'decline', { status: 'DECLINED', declineReason })
}

/** `POST /invites/ID/cancel`. */
export function cancelInvite(services: ApiServices, call: Call, id: string): Answer {
  const own = ownInvite(services, call, id, 'from')
  return isRefusal(own) ? own : settled(services, own, 'cancel', { status: 'CANCELED' })
}

type Own = { readonly invite: Invite; readonly agentId: string }

function settled(
  services: ApiServices,
  { invite, agentId }: Own,
  verb: string,
  change: Pick<Invite, 'status'> & Partial<Pick<Invite, 'declineReason'>>,
): Answer {
  if (invite.status === change.status) return detailOf(services, { invite, agentId })
  if (invite.status !== 'PENDING') return conflict(verb, invite)
  return detailOf(services, { invite: settleInvite(services, invite, change), agentId })
}

/** An invite of the caller. An unknown one, one of others and one of the other side are answered alike. */
function ownInvite(services: ApiServices, call: Call, id: string, side?: 'from' | 'to'): Own | Refusal {
  const agent = agentOf(services, call)
  if (isRefusal(agent)) return agent
  const { agentId } = agent
  const invite = currentInvite(services, id)
  if (invite === undefined) return refuse('unauthorized')
  const sides = side === undefined ? [invite.from, invite.to] : [invite[side]]
  return sides.includes(agentId) ? { invite, agentId } : refuse('unauthorized')
}

const detailOf = ({ tokens }: ApiServices, { invite, agentId }: Own): Answer => ({
  body: inviteDetail(invite, agentId, tokens),
})

const conflict = (verb: string, { status }: Invite): Refusal =>
  refuse('invite_conflict', `cannot ${verb} invite in ${status} state`)
