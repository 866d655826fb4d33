type Entry<Value> = { readonly value: Value; used: boolean }

/**
 * A map of at most so many entries. Where one more comes in, the one that came in first goes, unless it was used since:
 * then it goes to the end of the row, and the next one is asked.
 */
export class RecentMap<Key, Value> {
  readonly #capacity: number
  readonly #entries = new Map<Key, Entry<Value>>()

  /** @param capacity how many entries are kept, at least 1 */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    entry.used = true
    return entry.value
  }

  set(key: Key, value: Value): Value {
    this.#entries.delete(key)
    if (this.#entries.size >= this.#capacity) this.#forgetOne()
    this.#entries.set(key, { value, used: false })
    return value
  }

  // A Map goes through its entries in the order in which they came in, and through those that come in meanwhile.
  #forgetOne(): void {
    for (const [key, entry] of this.#entries) {
      this.#entries.delete(key)
      if (!entry.used) return
      this.#entries.set(key, { value: entry.value, used: false })
    }
  }
}
