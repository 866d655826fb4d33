import { Nondeterministic } from '../schema/pattern/nondeterministic.js'
import { type Pattern, parsePattern } from '../schema/pattern/parse-pattern.js'
import { Work } from '../schema/work.js'

/** A pattern that was read: the states in which a match may be. */
export type TextPattern = { readonly states: Nondeterministic; readonly start: number; readonly end: number }

const MOST_STATES = 512

/**
 * Reads a pattern of `pattern_reject`: one of the language of a schema's `pattern`, without its anchors. Null where it
 * is not one, takes over 512 states, or would be found in the empty text.
 * @see protocol SPEC §6, §17
 */
export const readTextPattern = (source: string): TextPattern | null => {
  const parsed = parsePattern(`^(?:${source})$`)
  const pattern = parsed === null ? null : compiled(parsed)
  return pattern === null || closureOf(pattern, [pattern.start]).has(pattern.end) ? null : pattern
}

const compiled = (parsed: Pattern): TextPattern | null => {
  const states = new Nondeterministic([parsed], new Work())
  const [start] = states.starts
  const [end] = states.ends
  if (states.isTooLarge || states.free.length > MOST_STATES) return null
  return start === undefined || end === undefined ? null : { states, start, end }
}

/** Whether a pattern is found anywhere in a text, as it is or in Unicode's form NFKC. */
export const findsPattern = (pattern: TextPattern, text: string): boolean =>
  [text, text.normalize('NFKC')].some((read) => finds(pattern, read))

/** Follows all matches at once, so that the time is text × states at most, whatever the pattern. */
const finds = (pattern: TextPattern, text: string): boolean => {
  let reached: Iterable<number> = []
  for (const character of text) {
    const point = character.codePointAt(0) ?? 0
    // A match may begin at every character.
    reached = steps(pattern, closureOf(pattern, [pattern.start, ...reached]), point)
    if (closureOf(pattern, reached).has(pattern.end)) return true
  }
  return false
}

const steps = ({ states }: TextPattern, reached: ReadonlySet<number>, point: number): ReadonlySet<number> => {
  const next = new Set<number>()
  for (const at of reached) {
    const step = states.steps[at]
    if (step?.ranges.some(([first, last]) => first <= point && point <= last) === true) next.add(step.to)
  }
  return next
}

/** These states and all that are reached from them without reading. A set that grows is walked to its end. */
const closureOf = ({ states }: TextPattern, from: Iterable<number>): ReadonlySet<number> => {
  const reached = new Set(from)
  for (const at of reached) for (const to of states.free[at] ?? []) reached.add(to)
  return reached
}
