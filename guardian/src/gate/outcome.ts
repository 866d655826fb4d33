import type { JsonValue } from '@parley/protocol'

/** Why an effect was denied: nothing was done. */
export type DenialReason =
  | 'identity_missing'
  | 'credential_in_request'
  | 'resource_unknown'
  | 'policy_denied'
  | 'approval_denied'
  /** The approval was used, or cannot be asked for or read. */
  | 'approval_unusable'
  | 'quota_exceeded'

/** Why an effect failed. After `started`, the host knows of no result; what happened outside is not claimed. */
export type FailureReason =
  | 'capability_missing'
  | 'execution_error'
  | 'result_malformed'
  | 'credential_in_result'
  /** The durable record could not be written. */
  | 'evidence_unwritten'
  /** The host stopped in the middle. */
  | 'interrupted'

/** When an effect was cancelled: whether it may have begun. */
export type CancellationReason = 'cancelled_before_start' | 'cancelled_while_running'

/** Every reason an end can have. The union is closed. */
export type Reason = DenialReason | FailureReason | CancellationReason | 'approval_expired'

/** How an effect ended. Only what the host's own capability returned is a completion. */
export type Outcome =
  | { readonly kind: 'completed'; readonly effect_id: string; readonly result: JsonValue }
  | { readonly kind: 'denied'; readonly effect_id: string; readonly reason: DenialReason }
  | { readonly kind: 'failed'; readonly effect_id: string; readonly reason: FailureReason }
  | { readonly kind: 'cancelled'; readonly effect_id: string; readonly reason: CancellationReason }
  | { readonly kind: 'expired'; readonly effect_id: string; readonly reason: 'approval_expired' }

/** An end other than a completion, before it is recorded. */
export type Ending =
  | { readonly kind: 'denied'; readonly reason: DenialReason }
  | { readonly kind: 'failed'; readonly reason: FailureReason }
  | { readonly kind: 'cancelled'; readonly reason: CancellationReason }
  | { readonly kind: 'expired'; readonly reason: 'approval_expired' }

/** A denial. */
export const denied = (reason: DenialReason): Ending => ({ kind: 'denied', reason })

/** A failure. */
export const failed = (reason: FailureReason): Ending => ({ kind: 'failed', reason })
