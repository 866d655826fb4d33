import type { Shape } from './shape.js'
import type { SchemaSite } from './site.js'

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const

/** `type: integer` with a lower and an upper bound, each inclusive, exclusive or both. */
export const compileInteger = (site: SchemaSite): Shape => {
  for (const keyword of BOUNDS) {
    const bound = site.read(keyword)
    if (bound !== undefined && !Number.isSafeInteger(bound))
      return site.refuse(typeof bound === 'number' ? 'number_not_exact' : 'schema_malformed', keyword)
  }
  const floors = [...bounds(site, 'minimum', 0), ...bounds(site, 'exclusiveMinimum', 1)]
  const ceilings = [...bounds(site, 'maximum', 0), ...bounds(site, 'exclusiveMaximum', -1)]
  if (floors.length === 0 || ceilings.length === 0) return site.refuse('value_unbounded')
  const lowest = Math.max(...floors)
  const highest = Math.min(...ceilings)
  if (lowest > highest) return site.refuse('schema_contradictory')
  return { kind: 'integer', at: site.at, lowest, highest }
}

/** The inclusive bound that a keyword sets, if it is there. */
const bounds = (site: SchemaSite, keyword: (typeof BOUNDS)[number], inward: number): number[] => {
  const bound = site.read(keyword)
  return typeof bound === 'number' ? [bound + inward] : []
}
