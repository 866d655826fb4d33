import type { A2aEvent } from '@parley/guardian'
import {
  AUDIT_GENESIS,
  canonicalize,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  label,
  labelledDigest,
  type Lane,
  parseCanonicalJson,
  toHex,
} from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { type Clock, nowSeconds } from '../clock.js'
import { readPrivateFile } from '../private-file.js'
import { DurableLog } from './durable-log.js'

/** What takes events; durable when it resolves. */
export type A2aAudit = { readonly append: (event: A2aEvent) => Promise<void> }

/**
 * The log of what came in, or went out, over Corvin A2A: a hash chain of the entries of SPEC "Audit log", one a line. An
 * entry is on the disk before its effect. One process at a time may have it open.
 */
export class AuditFile implements A2aAudit {
  readonly #log: DurableLog
  readonly #lane: Lane
  readonly #clock: Clock
  #head: Head
  #turn: Promise<void> = Promise.resolve()

  private constructor(log: DurableLog, head: Head, lane: Lane, clock: Clock) {
    this.#log = log
    this.#head = head
    this.#lane = lane
    this.#clock = clock
  }

  /**
   * Opens the log of a path, made if it is not there.
   * @throws AgentError `state_malformed` where the chain does not hold; `file_not_private`, `file_unusable`
   */
  static async open(path: string, lane: Lane, clock: Clock): Promise<AuditFile> {
    const { log, lines } = await DurableLog.open(path)
    try {
      return new AuditFile(log, headOf(lines, lane, path), lane, clock)
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /**
   * Checks the log of a path without opening it, also while another process writes.
   * @throws AgentError `state_missing`, `state_malformed`, `file_not_private`, `file_unusable`
   */
  static check(path: string, lane: Lane): void {
    const lines = Buffer.from(readPrivateFile(path)).toString('utf8').split('\n')
    headOf(lines.slice(0, -1), lane, path)
  }

  /** Appends one event. @throws AgentError `file_unusable`: then it is not in the log. */
  append(event: A2aEvent): Promise<void> {
    // One by one: an entry that failed must not be the link that a later one hangs on.
    const done = this.#turn.then(() => this.#add(event))
    this.#turn = done.catch(() => undefined)
    return done
  }

  /** Closes the file after what waits. */
  async close(): Promise<void> {
    await this.#turn
    await this.#log.close()
  }

  async #add({ event, fields }: A2aEvent): Promise<void> {
    const entry: JsonObject = {
      version: 'parley-audit-v1',
      ...this.#head,
      at: nowSeconds(this.#clock),
      event,
      fields,
    }
    await this.#log.append(canonicalize(entry))
    this.#head = headAfter(entry, this.#head.seq, this.#lane)
  }
}

/** The number of the next entry, and the hash of the one before it. */
type Head = { readonly seq: number; readonly previous: string }

const headAfter = (entry: JsonObject, seq: number, lane: Lane): Head => ({
  seq: seq + 1,
  previous: toHex(labelledDigest(label(lane, 'audit-entry'), entry)),
})

const headOf = (lines: readonly string[], lane: Lane, path: string): Head =>
  lines.reduce<Head>(
    (head, line) => {
      const entry = parse(line)
      const fits = isJsonObject(entry) && entry['seq'] === head.seq && entry['previous'] === head.previous
      if (!fits) throw new AgentError('state_malformed', `${path}: the chain is broken at entry ${head.seq}`)
      return headAfter(entry, head.seq, lane)
    },
    { seq: 0, previous: AUDIT_GENESIS },
  )

const parse = (line: string): JsonValue => {
  try {
    return parseCanonicalJson(line)
  } catch {
    return null
  }
}
