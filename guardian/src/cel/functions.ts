import { codePoints } from '../code-points.js'
import { isInt64, type Kind } from './cel-value.js'
import { EXHAUSTED, FAILED } from './fault.js'
import { binary, type Overload, unary } from './overload.js'
import type { Outcome } from './step.js'

const INTEGER_TEXT = /^-?[0-9]{1,19}$/

/** A function of a text pays for reading all of it. */
const ofText = (gives: Kind, run: (text: string) => Outcome): Overload =>
  unary('string', gives, (text, meter) => (meter.spend(text.length) ? run(text) : EXHAUSTED))

/** A search pays for the part, and for what it may compare in the worst case. */
const search = (
  run: (text: string, part: string) => boolean,
  worstCase: (text: string, part: string) => number,
): Overload =>
  binary('string', 'string', 'bool', (text, part, meter) =>
    meter.spend(part.length + worstCase(text, part)) ? run(text, part) : EXHAUSTED,
  )

const atOneEnd = (): number => 0

/** Each position with each, at 64 comparisons a unit, which is about what one step of a program takes. */
const anywhere = (text: string, part: string): number =>
  text.length + Math.ceil((text.length * part.length) / 64)

const SIZE: readonly Overload[] = [
  // In code points, as in the CEL specification.
  ofText('int', (text) => BigInt(codePoints(text))),
  unary('list', 'int', (list) => BigInt(list.length)),
  unary('map', 'int', (map) => BigInt(map.size)),
]

const parseInteger = (text: string): Outcome => {
  const value = INTEGER_TEXT.test(text) ? BigInt(text) : null
  return value !== null && isInt64(value) ? value : FAILED
}

/** Functions by name and number of arguments. No clock, no randomness, no regular expressions, no doubles. */
export const FUNCTIONS: ReadonlyMap<string, readonly Overload[]> = new Map([
  ['size/1', SIZE],
  ['int/1', [unary('int', 'int', (value) => value), ofText('int', parseInteger)]],
  [
    'string/1',
    [
      unary('string', 'string', (text) => text),
      unary('int', 'string', (value) => value.toString()),
      unary('bool', 'string', (value) => (value ? 'true' : 'false')),
    ],
  ],
  ['dyn/1', [unary('dyn', 'dyn', (value) => value)]],
])

/** Methods by name and number of arguments after the receiver. */
export const METHODS: ReadonlyMap<string, readonly Overload[]> = new Map([
  ['size/0', SIZE],
  ['startsWith/1', [search((text, part) => text.startsWith(part), atOneEnd)]],
  ['endsWith/1', [search((text, part) => text.endsWith(part), atOneEnd)]],
  ['contains/1', [search((text, part) => text.includes(part), anywhere)]],
  ['lowerAscii/0', [ofText('string', (text) => text.replace(/[A-Z]+/g, (run) => run.toLowerCase()))]],
  ['upperAscii/0', [ofText('string', (text) => text.replace(/[a-z]+/g, (run) => run.toUpperCase()))]],
])
