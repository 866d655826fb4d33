import { canonicalize } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import { withFileLock } from './file-lock.js'
import { type FileMark, markOf, replacePrivateFile } from './private-file.js'
import type { StateCell, Written } from './state-cell.js'

/**
 * A private file and what was last read of it or written to it. While it is the same file, untouched, it is not read
 * again; whatever another process puts in its place is.
 */
export class StateFile<T> implements StateCell<T> {
  readonly #path: string
  readonly #read: (path: string) => T
  #known: { readonly mark: FileMark | null; readonly value: T } | null = null

  /** @param read reads and parses the file */
  constructor(path: string, read: (path: string) => T) {
    this.#path = path
    this.#read = read
  }

  /**
   * What the file holds now.
   * @throws AgentError `state_missing` and whatever else `read` throws
   */
  current(): T {
    const mark = markOf(this.#path)
    if (mark === null) throw new AgentError('state_missing', `there is no ${this.#path}`)
    if (this.#known?.mark !== mark) this.#known = { mark, value: this.#read(this.#path) }
    return this.#known.value
  }

  /**
   * Replaces the file, durably, one change after the other, whichever process makes it.
   * @param change gets what it holds, null where there is no file; null changes nothing
   * @returns what it holds afterwards
   * @throws AgentError `state_locked`, and whatever `read` and `change` throw; then nothing is changed
   */
  update(change: (current: T | null) => Written<T> | null): Promise<T | null> {
    return withFileLock(this.#path, async () => {
      const before = markOf(this.#path) === null ? null : this.current()
      const next = change(before)
      if (next === null) return before
      await replacePrivateFile(this.#path, canonicalize(next.json))
      this.#known = { mark: markOf(this.#path), value: next.value }
      return next.value
    })
  }

  /** Says what a file holds that has just been made. */
  knows(value: T): void {
    this.#known = { mark: markOf(this.#path), value }
  }
}
