import type { Clock } from './clock.js'

/** A relay that said, within the last heartbeat period, that it holds the key of this id. */
export type Replica = { readonly keyId: number; readonly url: URL }

type Entry = Replica & { readonly expiresAtMs: number }

/** A replica that has not been heard of for this long is forgotten, and its key id is free. */
export const REPLICA_LIFETIME_MS = 10_000

/** The live replicas by the key id that stands in clear in front of every sealed request. */
export class Replicas {
  readonly #entries = new Map<number, Entry>()
  readonly #clock: Clock
  #turn = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Takes a registration or a heartbeat; false if the id belongs to another replica that is live. */
  register(keyId: number, url: URL): boolean {
    const holder = this.byKeyId(keyId)
    if (holder !== undefined && holder.url.href !== url.href) return false
    this.#entries.set(keyId, { keyId, url, expiresAtMs: this.#clock() + REPLICA_LIFETIME_MS })
    return true
  }

  /** The live replica that holds the key. */
  byKeyId(keyId: number): Replica | undefined {
    const entry = this.#entries.get(keyId)
    return entry !== undefined && this.#isLive(entry) ? entry : undefined
  }

  /** Any live replica, each in its turn. */
  any(): Replica | undefined {
    const live = this.#live()
    return live[this.#turn++ % live.length]
  }

  /** How many replicas are live. */
  count(): number {
    return this.#live().length
  }

  #live(): readonly Replica[] {
    return [...this.#entries.values()].filter((entry) => this.#isLive(entry))
  }

  #isLive(entry: Entry): boolean {
    return this.#clock() < entry.expiresAtMs
  }
}
