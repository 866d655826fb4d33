import { canonicalize } from '@parley/protocol'
import { withFileLock } from './file-lock.js'
import { createPrivateFile, replacePrivateFile } from './private-file.js'
import { readState } from './read-state.js'
import { parseSessionRecord, type SessionRecord, sessionSchema } from './session-record.js'

/** A session's record and the file that always holds it: a change is on the disk before anybody acts on it. */
export class SessionFile {
  readonly #path: string
  #record: SessionRecord
  #last: Promise<unknown> = Promise.resolve()

  private constructor(path: string, record: SessionRecord) {
    this.#path = path
    this.#record = record
  }

  /** @throws AgentError `state_exists` */
  static async create(path: string, record: SessionRecord): Promise<SessionFile> {
    await createPrivateFile(path, canonicalize(record))
    return new SessionFile(path, record)
  }

  /** @throws AgentError `state_missing`, `file_not_private`, `state_malformed` */
  static async open(path: string): Promise<SessionFile> {
    return new SessionFile(path, await readState(path, sessionSchema, parseSessionRecord))
  }

  get record(): SessionRecord {
    return this.#record
  }

  /**
   * Changes the record, durably, one change after the other, whichever process makes it. What another process changed
   * is there when `change` is called; where that throws, nothing is changed.
   * @throws AgentError `state_locked`, `state_missing`, `state_malformed`
   */
  update(change: (record: SessionRecord) => Partial<SessionRecord>): Promise<SessionRecord> {
    const next = this.#last.then(() => withFileLock(this.#path, () => this.#replace(change)))
    this.#last = next.catch(() => undefined)
    return next
  }

  async #replace(change: (record: SessionRecord) => Partial<SessionRecord>): Promise<SessionRecord> {
    const current = await readState(this.#path, sessionSchema, parseSessionRecord)
    const record = { ...current, ...change(current) }
    await replacePrivateFile(this.#path, canonicalize(record))
    this.#record = record
    return record
  }
}
