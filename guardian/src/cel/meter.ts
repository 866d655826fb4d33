/**
 * Counts the cost of one evaluation. One unit is one evaluated node, one element or member visited or copied,
 * or one UTF-16 unit of a string read, looked up or built. Whatever takes time or memory is paid for before it is
 * done: unpaid work would let an input choose how long its evaluation takes, which a host may time.
 */
export class Meter {
  readonly #limit: number
  #spent = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** False once more than the limit was asked for, and from then on. */
  spend(units: number): boolean {
    this.#spent += units
    return this.#spent <= this.#limit
  }

  get spent(): number {
    return this.#spent
  }
}
