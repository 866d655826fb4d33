import { canonicalize } from '@parley/protocol'
import { createPrivateFile } from './private-file.js'
import { readState } from './read-state.js'
import { parseSessionRecord, type SessionRecord, sessionSchema } from './session-record.js'
import { MemoryCell, type StateCell } from './state-cell.js'
import { StateFile } from './state-file.js'

/** So many numbers are set aside in one write: a poll needs none of its own. */
const BLOCK = 32

/** A session's record and the file that always holds it: a change is on the disk before anybody acts on it. */
export class SessionFile {
  readonly #cell: StateCell<SessionRecord>
  #record: SessionRecord
  /** The lowest number that may still be given out, where it is not over the record's own. */
  #next: number
  #last: Promise<unknown> = Promise.resolve()

  private constructor(cell: StateCell<SessionRecord>, record: SessionRecord, next: number) {
    this.#cell = cell
    this.#record = record
    this.#next = next
  }

  /** @throws AgentError `state_exists` */
  static async create(path: string, begun: SessionRecord): Promise<SessionFile> {
    const record = { ...begun, seq: begun.seq + BLOCK }
    await createPrivateFile(path, canonicalize(record))
    const file = fileAt(path)
    file.knows(record)
    return new SessionFile(file, record, begun.seq + 1)
  }

  /** A record in memory alone: it ends with the process. */
  static inMemory(begun: SessionRecord): SessionFile {
    const record = { ...begun, seq: begun.seq + BLOCK }
    return new SessionFile(new MemoryCell(record), record, begun.seq + 1)
  }

  /** @throws AgentError `state_missing`, `file_not_private`, `state_malformed` */
  static open(path: string): Promise<SessionFile> {
    return Promise.resolve().then(() => {
      const file = fileAt(path)
      const record = file.current()
      // Whoever set numbers aside may have sent them all.
      return new SessionFile(file, record, record.seq + 1)
    })
  }

  get record(): SessionRecord {
    return this.#record
  }

  /**
   * The next `parley-seq` to send: the file has said before that it may have been sent, so that no crash lets one be
   * used twice.
   * @throws AgentError `state_locked`, `state_missing`, `state_malformed`
   */
  async nextSeq(): Promise<number> {
    // Where another process wrote, it has sent later numbers, and ours would come too late.
    if (this.#cell.current() === this.#record && this.#next <= this.#record.seq) return this.#next++
    let drawn = 0
    await this.step((_, seq) => {
      drawn = seq
      return {}
    })
    return drawn
  }

  /**
   * Changes the record with the next `parley-seq`, in one write.
   * @throws AgentError `state_locked`, `state_missing`, `state_malformed`
   */
  step(change: (record: SessionRecord, seq: number) => Partial<SessionRecord>): Promise<SessionRecord> {
    return this.update((record) => {
      const seq = this.#next++
      return { ...change(record, seq), seq: seq > record.seq ? seq + BLOCK : record.seq }
    })
  }

  /**
   * Changes the record, durably, one change after the other, whichever process makes it. What another process changed
   * is there when `change` is called; where that throws, nothing is changed.
   * @throws AgentError `state_locked`, `state_missing`, `state_malformed`
   */
  update(change: (record: SessionRecord) => Partial<SessionRecord>): Promise<SessionRecord> {
    const next = this.#last.then(() => this.#replace(change))
    this.#last = next.catch(() => undefined)
    return next
  }

  async #replace(change: (record: SessionRecord) => Partial<SessionRecord>): Promise<SessionRecord> {
    const written = await this.#cell.update(() => {
      const current = this.#cell.current()
      // Numbers that were set aside here are behind those of whoever wrote since.
      if (current !== this.#record) this.#next = current.seq + 1
      const record = { ...current, ...change(current) }
      return { value: record, json: record }
    })
    this.#record = written ?? this.#cell.current()
    return this.#record
  }
}

const fileAt = (path: string): StateFile<SessionRecord> =>
  new StateFile(path, (at) => readState(at, sessionSchema, parseSessionRecord))
