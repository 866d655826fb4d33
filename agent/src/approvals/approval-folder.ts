import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type ApprovalParties,
  type ApprovalPort,
  type ApprovalRecord,
  type ApprovalRequest,
  type ApprovalStep,
  approvalAt,
  approveRequest,
  denyRequest,
  parseApproval,
  pendingApproval,
  useApproval,
} from '@parley/guardian'
import { canonicalize, type JsonObject } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import { type Clock, nowSeconds } from '../clock.js'
import { createPrivateFile, isCode } from '../private-file.js'
import { json, readState } from '../read-state.js'
import type { Written } from '../state-cell.js'
import { StateFile } from '../state-file.js'

const FILE = /^[0-9a-f]{64}\.json$/
const POLL_MS = 250

const schema = v.strictObject({ version: v.literal('parley-approval-v1'), approval: json })

/**
 * The approvals of a home, one private file for each effect. Whoever has the home's key answers them from another process;
 * each change is on the disk before anybody acts on it, and of many that would use one approval, one does.
 * @see protocol SPEC "Effect gate"
 */
export class ApprovalFolder implements ApprovalPort {
  readonly #folder: string
  readonly #clock: Clock
  readonly #parties: ApprovalParties

  /** @param folder of this home alone */
  constructor(folder: string, clock: Clock, parties: ApprovalParties) {
    this.#folder = folder
    this.#clock = clock
    this.#parties = parties
  }

  /** @throws AgentError `file_unusable` */
  async ask(request: ApprovalRequest): Promise<void> {
    try {
      await createPrivateFile(this.#path(request.effect_digest), textOf(pendingApproval(request)))
    } catch (error) {
      if (!(error instanceof AgentError && error.code === 'state_exists')) throw error
    }
  }

  async answer(
    { effect_digest }: ApprovalRequest,
    signal: AbortSignal,
  ): Promise<'approved' | 'denied' | 'expired'> {
    for (;;) {
      const { state } = this.find(effect_digest)
      if (state === 'approved' || state === 'denied') return state
      if (state !== 'pending' || signal.aborted) return 'expired'
      await this.#clock.sleep(POLL_MS)
    }
  }

  async use(digest: string): Promise<'used' | 'expired' | 'refused'> {
    const step = await this.#step(digest, (record, now) => useApproval(record, this.#parties, now))
    if (step.ok) return 'used'
    return step.code === 'approval_expired' ? 'expired' : 'refused'
  }

  /** Approves by a grant that an approver signed. @throws AgentError `state_missing`, `state_malformed`, `state_locked` */
  approve(digest: string, grant: JsonObject): Promise<ApprovalStep> {
    return this.#step(digest, (record, now) => approveRequest(record, grant, this.#parties, now))
  }

  /** Denies, or takes back what was not used. @throws AgentError as {@link approve} */
  deny(digest: string): Promise<ApprovalStep> {
    return this.#step(digest, denyRequest)
  }

  /**
   * An approval as it is now.
   * @throws AgentError `state_missing`, `state_malformed`, `file_not_private`
   */
  find(digest: string): ApprovalRecord {
    return approvalAt(readRecord(this.#path(digest)), nowSeconds(this.#clock))
  }

  /** All of them as they are now, the oldest first. @throws AgentError as {@link find} */
  list(): readonly ApprovalRecord[] {
    return namesIn(this.#folder)
      .map((name) => this.find(name.slice(0, -'.json'.length)))
      .sort(
        (one, other) => one.asked_at - other.asked_at || (one.effect_digest < other.effect_digest ? -1 : 1),
      )
  }

  async #step(
    digest: string,
    take: (record: ApprovalRecord, nowSeconds: number) => ApprovalStep,
  ): Promise<ApprovalStep> {
    let step: ApprovalStep | undefined
    await new StateFile(this.#path(digest), readRecord).update((record) => {
      if (record === null) return null
      step = take(record, nowSeconds(this.#clock))
      return step.ok ? writtenOf(step.record) : null
    })
    if (step === undefined) throw new AgentError('state_missing', 'no approval of this effect was asked for')
    return step
  }

  #path(digest: string): string {
    const name = `${digest}.json`
    if (!FILE.test(name))
      throw new AgentError('argument_invalid', 'an effect is named by 64 hexadecimal digits')
    return join(this.#folder, name)
  }
}

const readRecord = (path: string): ApprovalRecord =>
  readState(path, schema, ({ approval }) => parseApproval(approval))

const jsonOf = (record: ApprovalRecord): JsonObject => ({ version: 'parley-approval-v1', approval: record })

const textOf = (record: ApprovalRecord): string => canonicalize(jsonOf(record))

const writtenOf = (record: ApprovalRecord): Written<ApprovalRecord> => ({
  value: record,
  json: jsonOf(record),
})

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter((name) => FILE.test(name))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw new AgentError('file_unusable', `${folder} can't be read`)
  }
}
