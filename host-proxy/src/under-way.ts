import { EventEmitter, once } from 'node:events'
import { setTimeout } from 'node:timers/promises'

/** What is under way, so that a stop can wait for its end. */
export class UnderWay<T> {
  readonly #open = new Set<T>()
  readonly #ended = new EventEmitter()

  get all(): ReadonlySet<T> {
    return this.#open
  }

  begin(each: T): void {
    this.#open.add(each)
  }

  end(each: T): void {
    this.#open.delete(each)
    this.#ended.emit('end')
  }

  /** Resolves when nothing is under way. */
  async none(): Promise<void> {
    while (this.#open.size > 0) await once(this.#ended, 'end')
  }

  /** The same, or when the grace is over. */
  async noneWithin(graceMs: number): Promise<void> {
    const patience = new AbortController()
    await Promise.race([this.none(), setTimeout(graceMs, undefined, { signal: patience.signal })])
    patience.abort()
  }
}
