import type { Work } from '../work.js'
import type { Pattern } from './parse-pattern.js'
import type { CharRanges } from './char-ranges.js'

/** A bounded repetition is written out, so a short pattern may have many states. */
const MOST_STATES = 4096

type Step = { readonly ranges: CharRanges; readonly to: number }

/** States of several patterns, each with steps that read nothing and at most one that reads a character. */
export class Nondeterministic {
  readonly #work: Work
  readonly free: number[][] = []
  readonly steps: (Step | null)[] = []
  readonly starts: number[] = []
  readonly ends: number[] = []
  isTooLarge = false

  constructor(patterns: readonly Pattern[], work: Work) {
    this.#work = work
    for (const pattern of patterns) {
      const start = this.#state()
      this.starts.push(start)
      this.ends.push(this.#append(pattern, start))
    }
  }

  #state(): number {
    if (this.free.length === MOST_STATES || !this.#work.spend(1)) this.isTooLarge = true
    this.steps.push(null)
    return this.free.push([]) - 1
  }

  #link(from: number, to: number): void {
    this.free[from]?.push(to)
  }

  /** Adds the states of a pattern behind a state, and says which is the last. */
  #append(pattern: Pattern, from: number): number {
    switch (pattern.kind) {
      case 'chars': {
        const start = this.#state()
        const to = this.#state()
        this.#link(from, start)
        this.steps[start] = { ranges: pattern.ranges, to }
        return to
      }
      case 'sequence':
        return pattern.parts.reduce((at, part) => this.#append(part, at), from)
      case 'choice': {
        const end = this.#state()
        for (const part of pattern.parts) this.#link(this.#append(part, from), end)
        return end
      }
      case 'repeat':
        return this.#repeat(pattern, from)
    }
  }

  #repeat({ part, least, most }: Extract<Pattern, { kind: 'repeat' }>, from: number): number {
    let at = from
    for (let i = 0; i < least && !this.isTooLarge; i++) at = this.#append(part, this.#after(at))
    const end = this.#after(at)
    if (most === Infinity) {
      this.#link(this.#append(part, end), end)
      return end
    }
    for (let i = least; i < most && !this.isTooLarge; i++) {
      at = this.#append(part, this.#after(at))
      this.#link(at, end)
    }
    return end
  }

  /** A fresh state behind another, so that nothing leads back into what stands before it. */
  #after(at: number): number {
    const next = this.#state()
    this.#link(at, next)
    return next
  }
}
