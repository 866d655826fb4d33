import { randomBytes } from 'node:crypto'
import { type AuditRecord, auditRecordLine, eraseRecord } from '@parley/guardian'
import { type AuditEvent, auditEntryHash, parseAuditEntry, toBase64url } from '@parley/protocol'
import { DurableLog } from '../a2a/durable-log.js'
import { type Clock, nowSeconds } from '../clock.js'
import { withFileLock } from '../file-lock.js'
import { OWN_LANE, readSoundLog } from './read-log.js'

const SALT_BYTES = 32

type Next = { readonly seq: number; readonly previous: string }
type Waiting = {
  readonly event: AuditEvent
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * A home's log of consents, effects and erasures: a hash chain of salted entries, one a line. What is appended is on the
 * disk before it resolves; what waits together is written together.
 */
export class OwnLog {
  readonly #log: DurableLog
  readonly #clock: Clock
  #records: readonly AuditRecord[]
  #next: Next
  #waiting: Waiting[] = []
  #draining: Promise<void> | null = null

  private constructor(log: DurableLog, clock: Clock, records: readonly AuditRecord[], next: Next) {
    this.#log = log
    this.#clock = clock
    this.#records = records
    this.#next = next
  }

  /**
   * Opens the log of a path, made if it is not there, for as long as `use` takes. No other process has it open then.
   * @throws AgentError `state_locked`, `state_malformed` where the chain does not hold; `file_not_private`, `file_unusable`
   */
  static use<T>(path: string, clock: Clock, use: (log: OwnLog) => Promise<T>): Promise<T> {
    return withFileLock(path, async () => {
      const { records, next } = readSoundLog(path)
      const { log } = await DurableLog.open(path)
      try {
        return await use(new OwnLog(log, clock, records, next))
      } finally {
        await log.close()
      }
    })
  }

  /** What the log holds. */
  get records(): readonly AuditRecord[] {
    return this.#records
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
    const records = this.#records.map((record) => (isMeant(record) ? eraseRecord(OWN_LANE, record) : record))
    await this.#log.rewrite(() => records.map(auditRecordLine))
    this.#records = records
  }

  async #drain(): Promise<void> {
    // After this turn, so that what comes at once is one group.
    await Promise.resolve()
    while (this.#waiting.length > 0) {
      const group = this.#waiting
      this.#waiting = []
      try {
        await this.#write(group.map(({ event }) => event))
        for (const { resolve } of group) resolve()
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#draining = null
  }

  /** All of them or none: an entry that failed must not be the link that a later one hangs on. */
  async #write(events: readonly AuditEvent[]): Promise<void> {
    let next = this.#next
    const records = events.map((event) => {
      const at = nowSeconds(this.#clock)
      const entry = parseAuditEntry({ version: 'parley-audit-v1', ...next, at, ...event })
      next = { seq: next.seq + 1, previous: auditEntryHash(OWN_LANE, entry) }
      return { entry, salt: toBase64url(randomBytes(SALT_BYTES)) }
    })
    await this.#log.append(records.map(auditRecordLine).join('\n'))
    this.#records = [...this.#records, ...records]
    this.#next = next
  }
}
