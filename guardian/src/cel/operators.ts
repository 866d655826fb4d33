import type { BinaryOperator, UnaryOperator } from '@marcbachmann/cel-js'
import { type CelMap, type CelValue, isInt64 } from './cel-value.js'
import { equal } from './equality.js'
import { EXHAUSTED, FAILED, Fault } from './fault.js'
import { lookUp } from './look-up.js'
import type { Meter } from './meter.js'
import { binary, type Overload, unary } from './overload.js'
import type { Outcome } from './step.js'
import { compareTexts } from './text-order.js'

const exact = (value: bigint): Outcome => (isInt64(value) ? value : FAILED)

const negated = (outcome: boolean | Fault): Outcome => (outcome instanceof Fault ? outcome : !outcome)

const order = (holds: (sign: number) => boolean): readonly Overload[] => [
  binary('int', 'int', 'bool', (a, b) => holds(a < b ? -1 : a > b ? 1 : 0)),
  binary('string', 'string', 'bool', (a, b, meter) =>
    meter.spend(Math.min(a.length, b.length)) ? holds(compareTexts(a, b)) : EXHAUSTED,
  ),
]

const has = (map: CelMap, name: string, meter: Meter): Outcome => {
  const found = lookUp(map, name, meter)
  return found instanceof Fault ? found : found !== undefined
}

const listed = (value: CelValue, list: readonly CelValue[], meter: Meter): Outcome => {
  for (const item of list) {
    const same = equal(value, item, meter)
    if (same !== false) return same
  }
  return false
}

/** Operators of two operands; `&&`, `||` and `?:` evaluate lazily and stand apart. */
export const BINARY: Readonly<Record<BinaryOperator, readonly Overload[]>> = {
  '+': [
    binary('int', 'int', 'int', (a, b) => exact(a + b)),
    binary('string', 'string', 'string', (a, b, meter) =>
      meter.spend(a.length + b.length) ? a + b : EXHAUSTED,
    ),
    binary('list', 'list', 'list', (a, b, meter) =>
      meter.spend(a.length + b.length) ? [...a, ...b] : EXHAUSTED,
    ),
  ],
  '-': [binary('int', 'int', 'int', (a, b) => exact(a - b))],
  '*': [binary('int', 'int', 'int', (a, b) => exact(a * b))],
  // Both truncate towards zero, as in the CEL specification.
  '/': [binary('int', 'int', 'int', (a, b) => (b === 0n ? FAILED : exact(a / b)))],
  '%': [binary('int', 'int', 'int', (a, b) => (b === 0n ? FAILED : a % b))],
  '==': [binary('dyn', 'dyn', 'bool', equal)],
  '!=': [binary('dyn', 'dyn', 'bool', (a, b, meter) => negated(equal(a, b, meter)))],
  '<': order((sign) => sign < 0),
  '<=': order((sign) => sign <= 0),
  '>': order((sign) => sign > 0),
  '>=': order((sign) => sign >= 0),
  in: [
    binary('dyn', 'list', 'bool', listed),
    binary('string', 'map', 'bool', (name, map, meter) => has(map, name, meter)),
  ],
}

/** Operators of one operand. */
export const UNARY: Readonly<Record<UnaryOperator, readonly Overload[]>> = {
  '!_': [unary('bool', 'bool', (a) => !a)],
  '-_': [unary('int', 'int', (a) => exact(-a))],
}

/** A value that may be missing: an index out of range, a member that is not there. `has()` asks first. */
const present = (value: CelValue | undefined): Outcome => (value === undefined ? FAILED : value)

const member = (map: CelMap, name: string, meter: Meter): Outcome => {
  const found = lookUp(map, name, meter)
  return found instanceof Fault ? found : present(found)
}

/** `map.member`. */
export const MEMBER: readonly Overload[] = [binary('map', 'string', 'dyn', member)]

/** `has(map.member)`. */
export const HAS: readonly Overload[] = [binary('map', 'string', 'bool', has)]

/** `list[position]` and `map["member"]`. */
export const INDEX: readonly Overload[] = [
  // An index too large to be an exact double is beyond every list, too.
  binary('list', 'int', 'dyn', (list, position) => present(list[Number(position)])),
  binary('map', 'string', 'dyn', member),
]
