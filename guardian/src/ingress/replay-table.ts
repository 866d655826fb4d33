/** Seconds that a nonce is remembered: the window both ways, and a margin for its edges. */
export const NONCE_LIFE_S = 700

/** A task's nonce and when it may be forgotten. Unix seconds. */
export type NonceRecord = {
  readonly origin_id: string
  readonly nonce: string
  readonly issued_at: number
  readonly expires_at: number
}

/** What becomes of a nonce. Only `taken` lets a task go on. */
export type NonceTaken = 'taken' | 'replay' | 'nonce_quota' | 'nonce_store_full'

/** How much is remembered. */
export type ReplayLimits = { readonly capacity: number; readonly perOrigin: number }

const LIMITS: ReplayLimits = { capacity: 10_000, perOrigin: 2500 }

/**
 * Accepts each (origin, nonce) once. Only what has expired is forgotten, never what is live: a full table refuses. And it
 * stays safe under a clock that jumps ahead and back: what is not younger than something forgotten counts as a replay.
 * A store that outlives the process writes down what `take` accepts before anything acts on it, and `restore`s it.
 */
export class ReplayTable {
  readonly #records = new Map<string, NonceRecord>()
  readonly #perOrigin = new Map<string, number>()
  readonly #limits: ReplayLimits
  #forgotten = -1

  constructor(limits: ReplayLimits = LIMITS) {
    this.#limits = limits
  }

  /** Takes a nonce, if it may be. Unix seconds. */
  take({ origin_id, nonce, issued_at }: Omit<NonceRecord, 'expires_at'>, now: number): NonceTaken {
    if (this.#records.has(keyOf(origin_id, nonce))) return 'replay'
    this.#forgetExpired(now)
    if (issued_at <= this.#forgotten) return 'replay'
    if (this.#records.size >= this.#limits.capacity) return 'nonce_store_full'
    if ((this.#perOrigin.get(origin_id) ?? 0) >= this.#limits.perOrigin) return 'nonce_quota'
    this.#keep({ origin_id, nonce, issued_at, expires_at: now + NONCE_LIFE_S })
    return 'taken'
  }

  /** Gives a nonce back whose task had no effect and left no record. */
  release({ origin_id, nonce }: Pick<NonceRecord, 'origin_id' | 'nonce'>): void {
    if (!this.#records.delete(keyOf(origin_id, nonce))) return
    const left = (this.#perOrigin.get(origin_id) ?? 1) - 1
    if (left === 0) this.#perOrigin.delete(origin_id)
    else this.#perOrigin.set(origin_id, left)
  }

  /**
   * Puts back what an earlier table held, whatever the limits say now.
   * @param forgottenUpTo that table's, or −1 where it had forgotten nothing
   */
  restore(records: Iterable<NonceRecord>, forgottenUpTo: number): void {
    this.#forgotten = Math.max(this.#forgotten, forgottenUpTo)
    for (const record of records)
      if (!this.#records.has(keyOf(record.origin_id, record.nonce))) this.#keep(record)
  }

  /** The youngest `issued_at` that was forgotten, or −1. A store that drops expired records keeps this. */
  get forgottenUpTo(): number {
    return this.#forgotten
  }

  /** Everything that is remembered, for a store to write anew. */
  records(): readonly NonceRecord[] {
    return [...this.#records.values()]
  }

  #keep(record: NonceRecord): void {
    this.#records.set(keyOf(record.origin_id, record.nonce), record)
    this.#perOrigin.set(record.origin_id, (this.#perOrigin.get(record.origin_id) ?? 0) + 1)
  }

  #forgetExpired(now: number): void {
    for (const record of this.#records.values()) {
      // Kept in the order of their arrival, so the first that lives ends the search; a later one may wait.
      if (record.expires_at >= now) break
      this.#forgotten = Math.max(this.#forgotten, record.issued_at)
      this.release(record)
    }
  }
}

// No nonce holds a slash, so no two pairs give one key.
const keyOf = (origin_id: string, nonce: string): string => `${nonce}/${origin_id}`
