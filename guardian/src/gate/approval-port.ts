import type { ApprovalRequest } from './approval.js'

/** The approvals of a host. */
export type ApprovalPort = {
  /** Files a request, durably, and lets the one who may answer know. A request that is filed already stays. */
  readonly ask: (request: ApprovalRequest) => Promise<void>
  /** Resolves when it is answered, or at its expiry. The signal ends the wait: nobody asks any more. */
  readonly answer: (
    request: ApprovalRequest,
    signal: AbortSignal,
  ) => Promise<'approved' | 'denied' | 'expired'>
  /** Marks the approval of this digest as used, durably, before it resolves; of many callers one gets `used`. */
  readonly use: (effectDigest: string) => Promise<'used' | 'expired' | 'refused'>
}
