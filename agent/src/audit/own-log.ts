import { randomBytes } from 'node:crypto'
import { type AuditRecord, auditRecordLine, eraseRecord, type KeptRecord } from '@parley/guardian'
import {
  type AuditEvent,
  auditEntryHash,
  auditLeaf,
  type MerkleTree,
  parseAuditEntry,
  toBase64url,
} from '@parley/protocol'
import { DurableLog } from '../a2a/durable-log.js'
import { type Clock, nowSeconds } from '../clock.js'
import { withFileLock } from '../file-lock.js'
import type { HomeLog } from './home-log.js'
import { keepCheckpoint, requireCheckpoint } from './own-checkpoint.js'
import { OWN_LANE, readSoundLog } from './read-log.js'

const SALT_BYTES = 32
/** How many entries may stand behind the kept checkpoint while a log is open. */
const MOST_UNSIGNED = 64

type Next = { readonly seq: number; readonly previous: string }
type Waiting = {
  readonly event: AuditEvent
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * A log of a home: a hash chain of entries, one a line, and a signed checkpoint beside it. What is appended is on the disk
 * before it resolves; what waits together is written together.
 */
export class OwnLog {
  readonly #at: HomeLog
  readonly #lines: DurableLog
  readonly #clock: Clock
  readonly #tree: MerkleTree
  #next: Next
  #signed = 0
  #waiting: Waiting[] = []
  #draining: Promise<void> | null = null

  private constructor(at: HomeLog, lines: DurableLog, clock: Clock, tree: MerkleTree, next: Next) {
    this.#at = at
    this.#lines = lines
    this.#clock = clock
    this.#tree = tree
    this.#next = next
  }

  /**
   * Opens a log, made if it is not there, for as long as `use` takes. No other process has it open then.
   * @throws AgentError `state_locked`, `state_malformed` where the chain does not hold, or not go on from its checkpoint;
   * `file_not_private`, `file_unusable`
   */
  static use<T>(at: HomeLog, clock: Clock, use: (log: OwnLog) => Promise<T>): Promise<T> {
    return withFileLock(at.path, async () => {
      const { tree, next } = readSoundLog(at.path)
      requireCheckpoint(at, tree)
      const { log: lines } = await DurableLog.open(at.path)
      const log = new OwnLog(at, lines, clock, tree, next)
      try {
        await log.#sign()
        return await use(log)
      } finally {
        await log.#close()
      }
    })
  }

  /** What the log holds. @throws AgentError as {@link use} */
  read(): readonly AuditRecord[] {
    return readSoundLog(this.#at.path).records
  }

  /**
   * Appends one event.
   * @throws AgentError `file_unusable`: then it is not in the log
   * @throws ProtocolError `object_malformed` for an event outside the allow-list
   */
  append(event: AuditEvent): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject })
      this.#draining ??= this.#drain()
    })
  }

  /**
   * Puts what is left of an entry in the place of each that is meant: chain and tree stay as they are. That it happens has
   * been appended before.
   * @throws AgentError `file_unusable`
   */
  async erase(isMeant: (record: AuditRecord) => boolean): Promise<void> {
    const records = this.read().map((record) => (isMeant(record) ? eraseRecord(OWN_LANE, record) : record))
    await this.#lines.rewrite(() => records.map(auditRecordLine))
  }

  async #drain(): Promise<void> {
    // After this turn, so that what comes at once is one group.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      await this.#write(group)
    }
    this.#draining = null
  }

  /** All of them or none: an entry that failed must not be the link that a later one hangs on. */
  async #write(group: readonly Waiting[]): Promise<void> {
    let next = this.#next
    const written: { readonly waiting: Waiting; readonly record: KeptRecord }[] = []
    for (const waiting of group) {
      try {
        const record = this.#recordOf(waiting.event, next)
        next = { seq: next.seq + 1, previous: auditEntryHash(OWN_LANE, record.entry) }
        written.push({ waiting, record })
      } catch (error) {
        // Not in the allow-list: the others of the group are none the worse for it.
        waiting.reject(error)
      }
    }
    try {
      if (written.length > 0)
        await this.#lines.append(written.map(({ record }) => auditRecordLine(record)).join('\n'))
    } catch (error) {
      for (const { waiting } of written) waiting.reject(error)
      return
    }
    for (const { record } of written) this.#tree.append(auditLeaf(OWN_LANE, record))
    this.#next = next
    for (const { waiting } of written) waiting.resolve()
    if (this.#tree.size - this.#signed >= MOST_UNSIGNED) await this.#signIfPossible()
  }

  #recordOf(event: AuditEvent, next: Next): KeptRecord {
    const at = nowSeconds(this.#clock)
    const entry = parseAuditEntry({ version: 'parley-audit-v1', ...next, at, ...event })
    return { entry, salt: this.#salt() }
  }

  /** Only entries that can be erased need one: without it nobody can guess what an erased one said. */
  #salt(): string | null {
    return this.#at.name === 'own' ? toBase64url(new Uint8Array(randomBytes(SALT_BYTES))) : null
  }

  async #sign(): Promise<void> {
    await keepCheckpoint(this.#at, this.#tree)
    this.#signed = this.#tree.size
  }

  /** What is on the disk stays there where this fails, and the checkpoint before it still holds. */
  #signIfPossible(): Promise<void> {
    return this.#sign().catch(() => undefined)
  }

  async #close(): Promise<void> {
    await this.#draining
    if (this.#tree.size > this.#signed) await this.#signIfPossible()
    await this.#lines.close()
  }
}
