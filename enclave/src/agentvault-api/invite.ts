import type { JsonObject } from '@parley/protocol'
import type { AgreedContract } from './agreed-contract.js'
import { rfc3339 } from './rfc3339.js'
import { kindAt, type SeatIndex, type SessionTokens } from './session-tokens.js'

/** AgentVault's names of where an invite stands. */
export const INVITE_STATUSES = ['PENDING', 'ACCEPTED', 'DECLINED', 'CANCELED', 'EXPIRED'] as const

/** Where an invite stands; from PENDING it goes to one of the others, and stays there. */
export type InviteStatus = (typeof INVITE_STATUSES)[number]

/** What a recipient may say when it declines. */
export const DECLINE_REASONS = ['BUSY', 'NOT_INTERESTED', 'INVALID', 'OTHER'] as const

/** A reason of AgentVault's list. */
export type DeclineReason = (typeof DECLINE_REASONS)[number]

/** An invitation of one agent by another to a session under a contract that was admitted. */
export type Invite = {
  readonly id: string
  readonly from: string
  readonly to: string
  readonly fromPublicKeyHex: string | null
  readonly agreed: AgreedContract
  readonly status: InviteStatus
  /** Unix times in seconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly expiresAt: number
  /** On the monotonic clock: when a pending invite expires, or another is forgotten. */
  readonly dueMs: number
  readonly declineReason: DeclineReason | null
  readonly sessionId: string | null
}

/** An agent's place in the contract, by its name: the sender need not be the first participant. */
export const seatOfAgent = ({ agreed }: Invite, agentId: string): SeatIndex =>
  agreed.participants[0] === agentId ? 0 : 1

/** What an inbox shows of an invite. */
export function inviteSummary(invite: Invite): JsonObject {
  const { agreed, fromPublicKeyHex } = invite
  return {
    invite_id: invite.id,
    from_agent_id: invite.from,
    ...(fromPublicKeyHex === null ? {} : { from_agent_pubkey: fromPublicKeyHex }),
    status: invite.status,
    purpose_code: agreed.admitted.contract.purpose_code,
    contract_hash: agreed.contractHash,
    created_at: rfc3339(invite.createdAt),
    expires_at: rfc3339(invite.expiresAt),
  }
}

/** What its sender and its recipient see, each with its own tokens once there is a session. */
export function inviteDetail(invite: Invite, agentId: string, tokens: SessionTokens): JsonObject {
  const { sessionId, declineReason, agreed } = invite
  const seat = seatOfAgent(invite, agentId)
  return {
    ...inviteSummary(invite),
    to_agent_id: invite.to,
    contract_json: agreed.admitted.contract,
    provider: agreed.providerName,
    updated_at: rfc3339(invite.updatedAt),
    ...(declineReason === null ? {} : { decline_reason_code: declineReason }),
    ...(sessionId === null
      ? {}
      : {
          session_id: sessionId,
          submit_token: tokens.of(sessionId, kindAt(seat, 'submit')),
          read_token: tokens.of(sessionId, kindAt(seat, 'read')),
        }),
  }
}
