import { isWellFormed } from '@parley/protocol'
import { type CharRanges, otherRanges } from './char-ranges.js'
import { readClass, readEscape } from './char-class.js'
import { PatternReader } from './pattern-reader.js'

/** A regular expression that is matched as a whole. */
export type Pattern =
  | { readonly kind: 'chars'; readonly ranges: CharRanges }
  | { readonly kind: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly parts: readonly Pattern[] }
  | { readonly kind: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number }

const DEEPEST = 64
/** ECMA-262, LineTerminator: what `.` leaves out. */
const DOT = otherRanges([
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x2028, 0x2029],
])
const NO_LITERAL = new Set('^$\\.*+?()[]{}|')

/**
 * Reads a pattern of the subset that is counted: anchored at both ends (each of its alternatives), literals, `.`,
 * classes, `\d \w` and their like, groups, alternatives, greedy repetition. It means what ECMA-262 gives it with
 * the flag `u`. Null for any other: look-around, back references, word borders, properties, lazy repetition.
 */
export const parsePattern = (text: string): Pattern | null => {
  if (!isWellFormed(text)) return null
  const reader = new PatternReader(text)
  const parts: Pattern[] = []
  do {
    if (!reader.take('^')) return null
    const part = readSequence(reader, 0)
    if (part === null || !reader.take('$')) return null
    parts.push(part)
  } while (reader.take('|'))
  return reader.isAtEnd ? { kind: 'choice', parts } : null
}

const readChoice = (reader: PatternReader, depth: number): Pattern | null => {
  const parts: Pattern[] = []
  do {
    const part = readSequence(reader, depth)
    if (part === null) return null
    parts.push(part)
  } while (reader.take('|'))
  return { kind: 'choice', parts }
}

const readSequence = (reader: PatternReader, depth: number): Pattern | null => {
  const parts: Pattern[] = []
  while (!reader.isAtEnd && !['|', ')', '$'].includes(reader.next)) {
    const atom = readAtom(reader, depth)
    const part = atom === null ? null : readRepeat(reader, atom)
    if (part === null) return null
    parts.push(part)
  }
  return { kind: 'sequence', parts }
}

const readAtom = (reader: PatternReader, depth: number): Pattern | null => {
  if (reader.take('(')) return depth === DEEPEST ? null : readGroup(reader, depth + 1)
  const ranges = readChars(reader)
  return ranges === null ? null : { kind: 'chars', ranges }
}

const readGroup = (reader: PatternReader, depth: number): Pattern | null => {
  if (reader.take('?') && !reader.take(':')) return null
  const inner = readChoice(reader, depth)
  return reader.take(')') ? inner : null
}

const readChars = (reader: PatternReader): CharRanges | null => {
  if (reader.take('.')) return DOT
  if (reader.take('[')) return readClass(reader)
  if (reader.take('\\')) return readEscape(reader)
  if (NO_LITERAL.has(reader.next)) return null
  return [reader.literal()]
}

const readRepeat = (reader: PatternReader, part: Pattern): Pattern | null => {
  const times = reader.times()
  if (times === undefined) return part
  // A lazy repetition stands for the same texts, but nobody needs one in an anchored pattern.
  if (times === null || reader.take('?')) return null
  const [least, most] = times
  return least > most ? null : { kind: 'repeat', part, least, most }
}
