import type { JsonValue } from '@parley/protocol'
import { AgentError } from './agent-error.js'

/** What is to be held, and how it is spelt where it is written down. */
export type Written<T> = { readonly value: T; readonly json: JsonValue }

/** A place for one value that is changed as a whole, one change after the other. */
export type StateCell<T> = {
  /** What it holds now: the same object until something changes. @throws AgentError `state_missing` */
  readonly current: () => T
  /**
   * Puts another value in its place, and resolves once that would survive what the cell is meant to survive.
   * @param change gets what it holds, null where there is nothing; null changes nothing
   * @returns what it holds afterwards
   */
  readonly update: (change: (current: T | null) => Written<T> | null) => Promise<T | null>
}

/** A cell in memory: it ends with the process. */
export class MemoryCell<T> implements StateCell<T> {
  #value: T | null

  constructor(value: T | null) {
    this.#value = value
  }

  current(): T {
    if (this.#value === null) throw new AgentError('state_missing', 'nothing is held')
    return this.#value
  }

  update(change: (current: T | null) => Written<T> | null): Promise<T | null> {
    // In a task of its own, as from a disk: what `change` throws is a rejection.
    return Promise.resolve().then(() => {
      this.#value = change(this.#value)?.value ?? this.#value
      return this.#value
    })
  }
}
