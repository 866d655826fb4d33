import type { JsonObject } from '@parley/protocol'
import type { GrantCode } from '../grants/grant-code.js'
import { judgeGrant } from '../grants/judge-grant.js'
import { type Refused, refused } from '../refused.js'
import { type EffectStatement, effectDigest } from './effect-statement.js'

/** The longest that an approval may be waited for, and the longest that it stands. */
export const MOST_APPROVAL_SECONDS = 900

/** What can follow what in an approval's life. No time-out leads to a yes, and a yes can be taken back until its use. */
export const APPROVAL_STATES = {
  pending: ['approved', 'denied', 'expired'],
  approved: ['used', 'denied', 'expired'],
  denied: [],
  expired: [],
  used: [],
} as const satisfies Record<string, readonly string[]>

/** The state of an approval. */
export type ApprovalState = keyof typeof APPROVAL_STATES

/** A question to whoever may answer for the principal: exactly this effect, once, until then. */
export type ApprovalRequest = {
  readonly effect: EffectStatement
  readonly effect_digest: string
  readonly asked_at: number
  /** Unix time in seconds, the first second in which it no longer stands. */
  readonly expires_at: number
  /** The rules that ask for it. */
  readonly rules: readonly string[]
}

/** A request and what became of it. */
export type ApprovalRecord = ApprovalRequest & {
  readonly state: ApprovalState
  /** The signed grant that approves it; null before. */
  readonly grant: JsonObject | null
}

/** Who may approve, and the host that enforces it, by their identifiers. */
export type ApprovalParties = { readonly approvers: readonly string[]; readonly audience: string }

/** Why an approval does not change. */
export type ApprovalCode = 'effect_changed' | 'approval_expired' | 'approval_settled' | GrantCode

/** The next record, or why there is none. */
export type ApprovalStep = { readonly ok: true; readonly record: ApprovalRecord } | Refused<ApprovalCode>

/** A request that nobody has answered. */
export const pendingApproval = (request: ApprovalRequest): ApprovalRecord => ({
  ...request,
  state: 'pending',
  grant: null,
})

/** True from the second on in which it no longer stands. */
export const isOver = ({ expires_at }: ApprovalRequest, nowSeconds: number): boolean =>
  // An unreadable clock counts as late.
  !(nowSeconds < expires_at)

/** The record as it is at a time: what was not answered or not used in time has expired. */
export const approvalAt = (record: ApprovalRecord, nowSeconds: number): ApprovalRecord =>
  isOver(record, nowSeconds) && mayBecome(record, 'expired') ? { ...record, state: 'expired' } : record

/** Approves a pending request by a grant that one of the approvers signed for exactly this effect. */
export const approveRequest = (
  record: ApprovalRecord,
  grant: JsonObject,
  parties: ApprovalParties,
  nowSeconds: number,
): ApprovalStep => step({ ...record, grant }, 'approved', parties, nowSeconds)

/** Denies a request, or takes back an approval that was not used. It needs nobody's signature. */
export const denyRequest = (record: ApprovalRecord, nowSeconds: number): ApprovalStep =>
  step(record, 'denied', null, nowSeconds)

/** Uses an approval up. Its grant is judged again: that a record says "approved" approves nothing. */
export const useApproval = (
  record: ApprovalRecord,
  parties: ApprovalParties,
  nowSeconds: number,
): ApprovalStep => step(record, 'used', parties, nowSeconds)

const step = (
  record: ApprovalRecord,
  next: ApprovalState,
  parties: ApprovalParties | null,
  nowSeconds: number,
): ApprovalStep => {
  // What was shown to whoever decided must be what is bound.
  if (effectDigest(record.effect) !== record.effect_digest) return refused('effect_changed', '/effect')
  const now = approvalAt(record, nowSeconds)
  if (now.state === 'expired') return refused('approval_expired', '/expires_at')
  if (!mayBecome(now, next)) return refused('approval_settled', '/state')
  return (parties && judge(now, parties, nowSeconds)) ?? { ok: true, record: { ...now, state: next } }
}

const judge = (
  { effect, effect_digest, grant }: ApprovalRecord,
  { approvers, audience }: ApprovalParties,
  nowSeconds: number,
): Refused<GrantCode> | null => {
  if (grant === null) return refused('no_grant', '/grant')
  const holder = effect.identity?.principal.id ?? ''
  const judged = judgeGrant(
    [grant],
    { typ: 'approval', holder, audience, approvers, action_digest: effect_digest },
    nowSeconds,
  )
  return judged.ok ? null : judged
}

const mayBecome = ({ state }: ApprovalRecord, next: ApprovalState): boolean =>
  APPROVAL_STATES[state].some((known: ApprovalState) => known === next)
