import { canonicalize, type JsonValue } from '@parley/protocol'
import type { GateRecord } from './gate-record.js'

/** What a watcher inside the owner's boundary sees: the record, and what the effect carries. Never kept on a disk. */
export type LiveEvent = { readonly record: GateRecord; readonly content: JsonValue }

/** What is left of the events after a number. */
export type Replay = {
  readonly events: readonly LiveEvent[]
  /** True if some are gone for good. */
  readonly gone: boolean
}

const MOST_EVENTS = 512
const MOST_CHARACTERS = 4 * 1024 * 1024

/** The live events of one run: to whoever listens, and the last ones again to whoever comes late. */
export class LiveEvents {
  readonly #kept: { readonly event: LiveEvent; readonly size: number }[] = []
  readonly #listeners = new Set<(event: LiveEvent) => void>()
  readonly #most: { readonly events: number; readonly characters: number }
  #size = 0
  #latest = -1

  constructor(most = { events: MOST_EVENTS, characters: MOST_CHARACTERS }) {
    this.#most = most
  }

  publish(event: LiveEvent): void {
    const size = canonicalize(event.content).length
    this.#kept.push({ event, size })
    this.#size += size
    this.#latest = event.record.fields.seq
    while (this.#kept.length > this.#most.events || this.#size > this.#most.characters)
      this.#size -= this.#kept.shift()?.size ?? 0
    for (const listener of this.#listeners) tell(listener, event)
  }

  /** The kept events numbered above `after`; -1 asks for all. */
  replay(after: number): Replay {
    const events = this.#kept.map(({ event }) => event).filter(({ record }) => record.fields.seq > after)
    return { events, gone: this.#latest - after > events.length }
  }

  /** Tells a listener of every event from now on, until the returned function is called. */
  listen(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
}

// A watcher that breaks must not break the effect that it watches.
const tell = (listener: (event: LiveEvent) => void, event: LiveEvent): void => {
  try {
    listener(event)
  } catch {
    return
  }
}
