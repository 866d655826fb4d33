import { type CharRanges, otherRanges, withoutSurrogates } from './char-ranges.js'
import type { PatternReader } from './pattern-reader.js'

const DIGITS: CharRanges = [[0x30, 0x39]]
const WORD: CharRanges = [...DIGITS, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]]

const SETS: Readonly<Record<string, CharRanges>> = {
  d: DIGITS,
  w: WORD,
  D: otherRanges(DIGITS),
  W: otherRanges(WORD),
}
const CONTROLS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d }
const HYPHEN = [0x2d, 0x2d] as const
const SYNTAX = new Set('^$\\.*+?()[]{}|/')

/** Reads what follows a backslash: a set, a control character, or a character that has a meaning without it. */
export const readEscape = (reader: PatternReader): CharRanges | null => {
  const name = reader.next
  const set = Object.hasOwn(SETS, name) ? SETS[name] : undefined
  const control = Object.hasOwn(CONTROLS, name) ? CONTROLS[name] : undefined
  if (set === undefined && control === undefined && !SYNTAX.has(name)) return null
  const literal = reader.literal()
  return set ?? [control === undefined ? literal : [control, control]]
}

/** Reads a class from behind its opening bracket. An empty one, and one of all, are refused. */
export const readClass = (reader: PatternReader): CharRanges | null => {
  const isNegated = reader.take('^')
  const ranges: CharRanges[number][] = []
  if (reader.next === ']') return null
  while (!reader.take(']')) {
    const item = readItem(reader)
    if (item === null) return null
    ranges.push(...item)
  }
  return isNegated ? otherRanges(ranges) : withoutSurrogates(ranges)
}

const readItem = (reader: PatternReader): CharRanges | null => {
  const first = readPoint(reader)
  if (first === null || !reader.take('-')) return first
  return reader.next === ']' ? [...first, HYPHEN] : rangeOf(first, readPoint(reader) ?? [])
}

const rangeOf = (first: CharRanges, last: CharRanges): CharRanges | null => {
  const from = onlyPoint(first)
  const to = onlyPoint(last)
  return from === null || to === null || from > to ? null : [[from, to]]
}

/** The one code point of a range; a set such as `\d` is no end of a range. */
const onlyPoint = ([range, ...more]: CharRanges): number | null =>
  range !== undefined && more.length === 0 && range[0] === range[1] ? range[0] : null

const readPoint = (reader: PatternReader): CharRanges | null => {
  if (reader.isAtEnd) return null
  if (!reader.take('\\')) return [reader.literal()]
  // Only in a class may a hyphen be escaped.
  return reader.next === '-' ? [reader.literal()] : readEscape(reader)
}
