import type { JsonObject } from '@parley/protocol'
import { refused } from '../refused.js'
import {
  type ApprovalParties,
  type ApprovalRecord,
  type ApprovalRequest,
  type ApprovalStep,
  approvalAt,
  approveRequest,
  denyRequest,
  pendingApproval,
  useApproval,
} from './approval.js'
import type { ApprovalPort } from './approval-port.js'

/** What approvals in memory need of the host's time. */
export type ApprovalTime = {
  readonly nowSeconds: () => number
  /** Resolves at that second, or when the signal is aborted. */
  readonly sleepUntil: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Approvals of one process, for a host that has no disk of its own: they end with it. */
export class MemoryApprovals implements ApprovalPort {
  readonly #time: ApprovalTime
  readonly #parties: ApprovalParties
  readonly #records = new Map<string, ApprovalRecord>()
  readonly #waiting = new Map<string, AbortController>()

  constructor(time: ApprovalTime, parties: ApprovalParties) {
    this.#time = time
    this.#parties = parties
  }

  ask(request: ApprovalRequest): Promise<void> {
    if (!this.#records.has(request.effect_digest))
      this.#records.set(request.effect_digest, pendingApproval(request))
    return Promise.resolve()
  }

  /** The records as they are now. */
  list(): readonly ApprovalRecord[] {
    return [...this.#records.values()].map((record) => approvalAt(record, this.#time.nowSeconds()))
  }

  /** Approves by a signed grant. */
  approve(digest: string, grant: JsonObject): ApprovalStep {
    return this.#decide(digest, (record, now) => approveRequest(record, grant, this.#parties, now))
  }

  /** Denies, or takes back what was not used. */
  deny(digest: string): ApprovalStep {
    return this.#decide(digest, denyRequest)
  }

  async answer(
    { effect_digest: digest, expires_at }: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<'approved' | 'denied' | 'expired'> {
    const decided = new AbortController()
    this.#waiting.set(digest, decided)
    const state = this.#records.get(digest)?.state
    if (state === 'pending')
      await this.#time.sleepUntil(expires_at, AbortSignal.any([signal, decided.signal]))
    this.#waiting.delete(digest)
    const found = this.#records.get(digest)?.state
    return found === 'approved' || found === 'denied' ? found : 'expired'
  }

  use(digest: string): Promise<'used' | 'expired' | 'refused'> {
    const step = this.#step(digest, (record, now) => useApproval(record, this.#parties, now))
    if (step.ok) return Promise.resolve('used')
    return Promise.resolve(step.code === 'approval_expired' ? 'expired' : 'refused')
  }

  #decide(digest: string, take: (record: ApprovalRecord, now: number) => ApprovalStep): ApprovalStep {
    const step = this.#step(digest, take)
    if (step.ok) this.#waiting.get(digest)?.abort()
    return step
  }

  #step(digest: string, take: (record: ApprovalRecord, now: number) => ApprovalStep): ApprovalStep {
    const record = this.#records.get(digest)
    if (record === undefined) return refused('approval_settled', '')
    const step = take(record, this.#time.nowSeconds())
    if (step.ok) this.#records.set(digest, step.record)
    return step
  }
}
