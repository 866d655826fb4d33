import { type CelMap, type CelValue, isKind } from './cel-value.js'
import { EXHAUSTED, type Fault } from './fault.js'
import type { Meter } from './meter.js'

/**
 * Deep equality; values of different kinds are unequal, as in the CEL specification. Pays for each pair that is
 * compared, also where one list stands twice in another.
 */
export const equal = (a: CelValue, b: CelValue, meter: Meter): boolean | Fault => {
  if (!meter.spend(1)) return EXHAUSTED
  if (isKind(a, 'list')) return isKind(b, 'list') && equalLists(a, b, meter)
  if (isKind(a, 'map')) return isKind(b, 'map') && equalMaps(a, b, meter)
  if (isKind(a, 'string') && isKind(b, 'string') && !meter.spend(Math.min(a.length, b.length)))
    return EXHAUSTED
  return a === b
}

const equalLists = (a: readonly CelValue[], b: readonly CelValue[], meter: Meter): boolean | Fault => {
  if (a.length !== b.length) return false
  for (const [index, value] of a.entries()) {
    const other = b[index]
    const same = other !== undefined && equal(value, other, meter)
    if (same !== true) return same
  }
  return true
}

const equalMaps = (a: CelMap, b: CelMap, meter: Meter): boolean | Fault => {
  if (a.size !== b.size) return false
  for (const [name, value] of a) {
    const other = b.get(name)
    const same = other !== undefined && equal(value, other, meter)
    if (same !== true) return same
  }
  return true
}
