import type { CelMap, CelValue } from './cel-value.js'
import { EXHAUSTED, type Fault } from './fault.js'
import type { Meter } from './meter.js'

/**
 * A member by name, or undefined. Pays for the whole name: a map that has it compares every unit, since the name that
 * was asked for and the map's own need not be the same object.
 */
export const lookUp = (map: CelMap, name: string, meter: Meter): CelValue | undefined | Fault =>
  meter.spend(name.length) ? map.get(name) : EXHAUSTED
