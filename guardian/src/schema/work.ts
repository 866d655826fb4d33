/** What one schema may cost, in units of about a third of a microsecond: well under a second in all. */
const MOST_WORK = 2_000_000

/**
 * What is left of the work that a stranger's schema may cause. A loop that spends before each round ends, whatever
 * the schema.
 */
export class Work {
  #left = MOST_WORK

  /** Whether so much more may be done. */
  spend(units: number): boolean {
    this.#left -= units
    return this.#left >= 0
  }

  get exhausted(): boolean {
    return this.#left < 0
  }
}
