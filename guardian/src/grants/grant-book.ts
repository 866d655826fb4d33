import type { Grant } from './grant.js'

/** A grant's name, its end in Unix seconds, and how often it may be used; null where nothing limits that. */
export type CountedGrant = Pick<Grant, 'iss' | 'jti' | 'exp'> & { readonly max_uses: number | null }

/** What became of a use. Only `taken` permits anything. */
export type UseTaken = 'taken' | 'expired' | 'revoked' | 'used_up' | 'store_full'

/** What is remembered of a grant. */
export type GrantRecord = Pick<Grant, 'iss' | 'jti' | 'exp'> & {
  readonly uses: number
  readonly revoked: boolean
}

/** Everything that a book remembers. `forgotten_up_to`: no grant that ended by then counts, whatever the clock says. */
export type GrantPages = { readonly records: readonly GrantRecord[]; readonly forgotten_up_to: number }

const CAPACITY = 10_000

/**
 * How often grants were used, and which were revoked. It forgets what has ended, never what is live, and stays safe under
 * a clock that jumps ahead and back: what ended before something forgotten has ended for good.
 */
export class GrantBook {
  readonly #records = new Map<string, GrantRecord>()
  readonly #capacity: number
  #forgotten: number

  /** @param pages what an earlier book remembered */
  constructor(pages: GrantPages = { records: [], forgotten_up_to: -1 }, capacity = CAPACITY) {
    this.#capacity = capacity
    this.#forgotten = pages.forgotten_up_to
    for (const record of pages.records) this.#records.set(nameOf(record), record)
  }

  /** Counts one use of each, or none at all. Unix seconds. */
  take(uses: readonly CountedGrant[], now: number): UseTaken {
    if (uses.some(({ exp }) => exp <= this.#forgotten)) return 'expired'
    if (uses.some((use) => this.find(use)?.revoked === true)) return 'revoked'
    const next = new Map<string, GrantRecord>()
    for (const use of uses) {
      if (use.max_uses === null) continue
      const before = next.get(nameOf(use)) ?? this.find(use) ?? unused(use)
      if (before.uses >= use.max_uses) return 'used_up'
      next.set(nameOf(use), { ...before, uses: before.uses + 1 })
    }
    return this.#keep(next, now)
  }

  /** Revokes a grant for good, whether it was ever used or not. */
  revoke(grant: Pick<Grant, 'iss' | 'jti' | 'exp'>): void {
    const before = this.find(grant) ?? unused(grant)
    // The later end counts: it is only a bound on how long this is remembered.
    this.#records.set(nameOf(grant), { ...before, exp: Math.max(before.exp, grant.exp), revoked: true })
  }

  /** What is remembered of a grant. */
  find(grant: Pick<Grant, 'iss' | 'jti'>): GrantRecord | undefined {
    return this.#records.get(nameOf(grant))
  }

  /** Everything that is remembered, for a store to write. */
  pages(): GrantPages {
    return { records: [...this.#records.values()], forgotten_up_to: this.#forgotten }
  }

  #keep(next: ReadonlyMap<string, GrantRecord>, now: number): UseTaken {
    const added = [...next.keys()].filter((name) => !this.#records.has(name)).length
    if (this.#records.size + added > this.#capacity) this.#forgetEnded(now)
    if (added > 0 && this.#records.size + added > this.#capacity) return 'store_full'
    for (const [name, record] of next) this.#records.set(name, record)
    return 'taken'
  }

  #forgetEnded(now: number): void {
    for (const [name, { exp }] of this.#records) {
      if (exp > now) continue
      this.#forgotten = Math.max(this.#forgotten, exp)
      this.#records.delete(name)
    }
  }
}

const unused = ({ iss, jti, exp }: Pick<Grant, 'iss' | 'jti' | 'exp'>): GrantRecord => ({
  ...{ iss, jti, exp },
  uses: 0,
  revoked: false,
})

// Neither holds a space.
const nameOf = ({ iss, jti }: Pick<Grant, 'iss' | 'jti'>): string => `${iss} ${jti}`
