import type { Work } from '../work.js'
import { type Alphabet, alphabetOf, letterOf } from './alphabet.js'
import type { CharRanges } from './char-ranges.js'
import { Nondeterministic } from './nondeterministic.js'
import type { Pattern } from './parse-pattern.js'

const MOST_STATES = 4096
const MOST_CLASSES = 256

/**
 * The texts that match several patterns, as one automaton in which each text has one way at most: what is counted
 * on it is counted once, however ambiguous the patterns are. State 0 is the first.
 */
export type Language = {
  readonly patterns: readonly Pattern[]
  readonly alphabet: Alphabet
  /** For each state and letter the next state, or -1 where no text goes on. */
  readonly next: readonly (readonly number[])[]
  readonly accepts: readonly boolean[]
}

/** Compiles patterns that all are to match, or null where that takes too many states or steps. */
export const compileLanguage = (patterns: readonly Pattern[], work: Work): Language | null => {
  const states = new Nondeterministic(patterns, work)
  if (states.isTooLarge) return null
  const classes = new Classes()
  const classOf = states.steps.map((step) => (step === null ? -1 : classes.idOf(step.ranges)))
  const edges = classes.all.reduce((sum, ranges) => sum + 2 * ranges.length, 1)
  if (classes.all.length > MOST_CLASSES || !work.spend(edges * edges)) return null
  return new Determiner(states, classOf, alphabetOf(classes.all), work).language(patterns)
}

/** Whether a text is in a language. */
export const isInLanguage = ({ alphabet, next, accepts }: Language, text: string): boolean => {
  let state = 0
  for (const character of text) {
    const letter = letterOf(alphabet, character.codePointAt(0) ?? 0)
    state = next[state]?.[letter] ?? -1
    if (state === -1) return false
  }
  return accepts[state] ?? false
}

/** Numbers classes of characters, those that hold the same as one. */
class Classes {
  readonly all: CharRanges[] = []
  readonly #byRanges = new Map<CharRanges, number>()
  readonly #byText = new Map<string, number>()

  idOf(ranges: CharRanges): number {
    const known = this.#byRanges.get(ranges)
    if (known !== undefined) return known
    const text = JSON.stringify(ranges)
    const id = this.#byText.get(text) ?? this.all.push(ranges) - 1
    this.#byRanges.set(ranges, id)
    this.#byText.set(text, id)
    return id
  }
}

/** Makes one state of each set of states in which the patterns may be together. */
class Determiner {
  readonly #states: Nondeterministic
  readonly #classOf: readonly number[]
  readonly #alphabet: Alphabet
  readonly #work: Work
  readonly #known = new Map<string, number>()
  readonly #sets: (readonly number[])[] = []

  constructor(states: Nondeterministic, classOf: readonly number[], alphabet: Alphabet, work: Work) {
    this.#states = states
    this.#classOf = classOf
    this.#alphabet = alphabet
    this.#work = work
  }

  language(patterns: readonly Pattern[]): Language | null {
    this.#stateOf(this.#closure(this.#states.starts))
    const next: number[][] = []
    // Sets are added while they are walked.
    for (const set of this.#sets) {
      const row = this.#alphabet.letters.map(({ classes }) => this.#step(set, classes))
      if (this.#sets.length > MOST_STATES || this.#work.exhausted) return null
      next.push(row)
    }
    const accepts = this.#sets.map((set) => this.#states.ends.every((end) => set.includes(end)))
    return this.#work.spend(this.#sets.length)
      ? trimmed({ patterns, alphabet: this.#alphabet, next, accepts })
      : null
  }

  #step(set: readonly number[], classes: ReadonlySet<number>): number {
    if (!this.#work.spend(set.length + 1)) return -1
    const reached: number[] = []
    for (const at of set) {
      const step = this.#states.steps[at]
      if (step !== null && step !== undefined && classes.has(this.#classOf[at] ?? -1)) reached.push(step.to)
    }
    return reached.length === 0 ? -1 : this.#stateOf(this.#closure(reached))
  }

  /** The states that are reached without reading, in order. */
  #closure(from: readonly number[]): readonly number[] {
    const reached = new Set(from)
    for (const at of reached) for (const to of this.#states.free[at] ?? []) reached.add(to)
    this.#work.spend(reached.size)
    return [...reached].sort((a, b) => a - b)
  }

  #stateOf(set: readonly number[]): number {
    const key = set.join(' ')
    const known = this.#known.get(key)
    if (known !== undefined) return known
    this.#known.set(key, this.#sets.length)
    return this.#sets.push(set) - 1
  }
}

/** The same language without ways that lead to no text. */
const trimmed = (language: Language): Language => {
  const before: number[][] = language.next.map(() => [])
  for (const [from, row] of language.next.entries()) for (const to of row) before[to]?.push(from)
  const useful = new Set(language.accepts.flatMap((accepted, state) => (accepted ? [state] : [])))
  for (const state of useful) for (const from of before[state] ?? []) useful.add(from)
  const next = language.next.map((row) => row.map((to) => (useful.has(to) ? to : -1)))
  return { ...language, next }
}
