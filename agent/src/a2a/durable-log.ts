import { type FileHandle, open } from 'node:fs/promises'
import { utf8 } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { createPrivateFile, orUnusable, readPrivateFile, replacePrivateFile } from '../private-file.js'

/** What a log needs of the file that it appends to. */
export type LogFile = Pick<FileHandle, 'appendFile' | 'truncate' | 'sync' | 'close'>

type Batch = { text: string; readonly done: Promise<void> }

const NEWLINE = 0x0a

/**
 * A private file of lines that only grows. A line that was appended is on the disk; one whose append failed, or that a
 * crash cut, is not in the log. Lines that wait together are written together.
 */
export class DurableLog {
  readonly #path: string
  #file: LogFile
  #size: number
  #isBroken = false
  #turn: Promise<void> = Promise.resolve()
  #next: Batch | undefined

  /** @param size octets that the file has */
  constructor(path: string, file: LogFile, size: number) {
    this.#path = path
    this.#file = file
    this.#size = size
  }

  /**
   * Opens the log of a path, made if it is not there. One process at a time may have it open.
   * @throws AgentError `file_not_private`, `file_unusable`
   */
  static async open(path: string): Promise<{ readonly log: DurableLog; readonly lines: readonly string[] }> {
    const bytes = await readOrCreate(path)
    // What stands after the last newline was cut by a crash, before anyone was told that it is there.
    const size = bytes.lastIndexOf(NEWLINE) + 1
    const file = await orUnusable(path, open(path, 'a', 0o600))
    try {
      if (size < bytes.length) await orUnusable(path, cut(file, size))
    } catch (error) {
      await file.close()
      throw error
    }
    const text = Buffer.from(bytes.subarray(0, size)).toString('utf8')
    return { log: new DurableLog(path, file, size), lines: text.split('\n').slice(0, -1) }
  }

  /** Appends a line without a newline; durable when it resolves. @throws AgentError `file_unusable` */
  append(line: string): Promise<void> {
    const batch = (this.#next ??= this.#schedule())
    batch.text += `${line}\n`
    return batch.done
  }

  /**
   * Puts other lines in the place of all. Whoever reads the file, even after a crash, finds the old ones or the new.
   * @param lines asked once the appends before have been written
   * @throws AgentError `file_unusable`
   */
  rewrite(lines: () => readonly string[]): Promise<void> {
    return this.#afterTurn(() => this.#replace(lines().map((line) => `${line}\n`)))
  }

  /** Closes the file after what waits. */
  async close(): Promise<void> {
    await this.#afterTurn(() => this.#file.close())
  }

  #schedule(): Batch {
    const done = this.#afterTurn(() => {
      this.#next = undefined
      return this.#write(batch.text)
    })
    const batch: Batch = { text: '', done }
    return batch
  }

  #afterTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  async #write(text: string): Promise<void> {
    if (this.#isBroken) throw new AgentError('file_unusable', `${this.#path} can't be used: it failed before`)
    const bytes = utf8(text)
    try {
      await this.#file.appendFile(bytes)
      await this.#file.sync()
      this.#size += bytes.length
    } catch (error) {
      await this.#takeBack()
      throw new AgentError('file_unusable', `${this.#path} can't be written: ${codeOf(error)}`)
    }
  }

  /** A part of a line may be on the disk, and the next line would stand behind it. */
  async #takeBack(): Promise<void> {
    try {
      await cut(this.#file, this.#size)
    } catch {
      this.#isBroken = true
    }
  }

  async #replace(lines: readonly string[]): Promise<void> {
    const bytes = utf8(lines.join(''))
    await replacePrivateFile(this.#path, bytes)
    const old = this.#file
    // From here on the old file is nobody's: lines appended to it would be lost.
    this.#isBroken = true
    this.#file = await orUnusable(this.#path, open(this.#path, 'a', 0o600))
    this.#size = bytes.length
    this.#isBroken = false
    await old.close()
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown'

const cut = async (file: LogFile, size: number): Promise<void> => {
  await file.truncate(size)
  await file.sync()
}

const readOrCreate = async (path: string): Promise<Uint8Array> => {
  try {
    return readPrivateFile(path)
  } catch (error) {
    if (!(error instanceof AgentError) || error.code !== 'state_missing') throw error
    await createPrivateFile(path, '')
    return new Uint8Array()
  }
}
