import { MAX_JSON_DEPTH } from '@parley/protocol'
import { type CelMap, type CelValue, isKind } from './cel-value.js'
import { EXHAUSTED, FAILED, Fault } from './fault.js'
import { lookUp } from './look-up.js'
import type { Meter } from './meter.js'

/**
 * Deep equality; values of different kinds are unequal, as in the CEL specification. Pays for each pair that is
 * compared, also where one list stands twice in another, and for each member name that it looks up.
 * Fails below as many levels as JSON may have: what a program nests by itself must not meet the end of a stack, which
 * lies elsewhere on every machine.
 */
export const equal = (a: CelValue, b: CelValue, meter: Meter, depth = 0): boolean | Fault => {
  if (!meter.spend(1)) return EXHAUSTED
  if (depth > MAX_JSON_DEPTH) return FAILED
  const inner: Compare = (x, y) => equal(x, y, meter, depth + 1)
  if (isKind(a, 'list')) return isKind(b, 'list') && equalLists(a, b, inner)
  if (isKind(a, 'map')) return isKind(b, 'map') && equalMaps(a, b, meter, inner)
  if (isKind(a, 'string') && isKind(b, 'string') && !meter.spend(Math.min(a.length, b.length)))
    return EXHAUSTED
  return a === b
}

type Compare = (a: CelValue, b: CelValue) => boolean | Fault

const equalLists = (a: readonly CelValue[], b: readonly CelValue[], inner: Compare): boolean | Fault => {
  if (a.length !== b.length) return false
  for (const [index, value] of a.entries()) {
    const other = b[index]
    const same = other !== undefined && inner(value, other)
    if (same !== true) return same
  }
  return true
}

const equalMaps = (a: CelMap, b: CelMap, meter: Meter, inner: Compare): boolean | Fault => {
  if (a.size !== b.size) return false
  for (const [name, value] of a) {
    const other = lookUp(b, name, meter)
    if (other instanceof Fault) return other
    const same = other !== undefined && inner(value, other)
    if (same !== true) return same
  }
  return true
}
