import { canonicalize, parseJson } from '@parley/protocol'
import {
  type NonceRecord,
  type NonceTaken,
  type ReplayLimits,
  ReplayTable,
  NONCE_LIFE_S,
} from '@parley/guardian'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import { DurableLog } from './durable-log.js'

const nonce = { origin_id: v.string(), nonce: v.string() }
const seconds = v.pipe(v.number(), v.safeInteger())
const line = v.union([
  v.strictObject({ taken: v.strictObject({ ...nonce, issued_at: seconds, expires_at: seconds }) }),
  v.strictObject({ released: v.strictObject(nonce) }),
  v.strictObject({ forgotten_up_to: seconds }),
])

type Line = v.InferOutput<typeof line>

/** Lines after which the file is written anew: above what a full table needs. */
const MOST_LINES = 25_000

/**
 * A replay table that outlives its process: a nonce is on the disk before its task goes on, so that not even `kill -9`
 * lets a task in twice. One process at a time may have it open. It can't tell that someone put an old file back.
 */
export class ReplayFile {
  readonly #table: ReplayTable
  readonly #log: DurableLog
  readonly #mostLines: number
  #lines: number

  private constructor(table: ReplayTable, log: DurableLog, lines: number, mostLines: number) {
    this.#table = table
    this.#log = log
    this.#lines = lines
    this.#mostLines = mostLines
  }

  /**
   * Opens the nonces of a path, made if they are not there. A file that can't be read or written is an error: there is no
   * falling back to memory.
   * @throws AgentError `file_not_private`, `file_unusable`, `state_malformed`
   */
  static async open(path: string, limits?: ReplayLimits, mostLines = MOST_LINES): Promise<ReplayFile> {
    const { log, lines } = await DurableLog.open(path)
    try {
      const table = tableOf(lines, path, limits)
      return new ReplayFile(table, log, lines.length, mostLines)
    } catch (error) {
      await log.close()
      throw error
    }
  }

  /**
   * Takes a nonce, if it may be; durable when it resolves.
   * @param now Unix seconds
   * @throws AgentError `file_unusable`: then the nonce is not taken.
   */
  async take(asked: Omit<NonceRecord, 'expires_at'>, now: number): Promise<NonceTaken> {
    const { origin_id, nonce, issued_at } = asked
    const taken = this.#table.take(asked, now)
    if (taken !== 'taken') return taken
    try {
      await this.#append({ taken: { origin_id, nonce, issued_at, expires_at: now + NONCE_LIFE_S } })
      return taken
    } catch (error) {
      this.#table.release(asked)
      throw error
    }
  }

  /** Gives a nonce back. @throws AgentError `file_unusable`: then it stays taken. */
  async release({ origin_id, nonce }: Pick<NonceRecord, 'origin_id' | 'nonce'>): Promise<void> {
    await this.#append({ released: { origin_id, nonce } })
    this.#table.release({ origin_id, nonce })
  }

  /** Closes the file. */
  close(): Promise<void> {
    return this.#log.close()
  }

  async #append(said: Line): Promise<void> {
    if (this.#lines >= this.#mostLines) await this.#shrink()
    await this.#log.append(canonicalize(said))
    this.#lines++
  }

  /** Nothing is lost if it fails: the long file stays, and the next append tries again. */
  async #shrink(): Promise<void> {
    this.#lines = 0
    await this.#log.rewrite(() => {
      const records = this.#table.records()
      this.#lines = records.length + 1
      const kept: readonly Line[] = [
        { forgotten_up_to: this.#table.forgottenUpTo },
        ...records.map((taken) => ({ taken })),
      ]
      return kept.map((each) => canonicalize(each))
    })
  }
}

const tableOf = (lines: readonly string[], path: string, limits?: ReplayLimits): ReplayTable => {
  const table = limits === undefined ? new ReplayTable() : new ReplayTable(limits)
  for (const text of lines) {
    const said = lineOf(text, path)
    if ('taken' in said) table.restore([said.taken], -1)
    else if ('released' in said) table.release(said.released)
    else table.restore([], said.forgotten_up_to)
  }
  return table
}

const lineOf = (text: string, path: string): Line => {
  try {
    return v.parse(line, parseJson(text))
  } catch {
    throw new AgentError('state_malformed', `${path} is not what this version writes`)
  }
}
