import { leastCommonMultiple, multiplesWithin } from './multiples.js'
import { nothing, type Shape } from './shape.js'
import type { Conjuncts, SchemaSite } from './site.js'

const BOUNDS = ['minimum', 'exclusiveMinimum', 'maximum', 'exclusiveMaximum'] as const
type Bound = (typeof BOUNDS)[number]

/**
 * Integers between bounds, each inclusive, exclusive or both, that are multiples of every `multipleOf`. Where
 * fractions are admitted too (not `whole`), integers are all that is told apart of them.
 */
export const compileInteger = ({ sites, at }: Conjuncts, whole: boolean): Shape => {
  for (const site of sites) for (const keyword of BOUNDS) checkBound(site, keyword)
  const tightest = (keyword: Bound, inward: number, pick: typeof Math.max, none: number) =>
    sites.reduce((found, site) => {
      const bound = site.read(keyword)
      return typeof bound === 'number' ? pick(found, bound + inward) : found
    }, none)
  const lowest = tightest('exclusiveMinimum', 1, Math.max, tightest('minimum', 0, Math.max, -Infinity))
  const highest = tightest('exclusiveMaximum', -1, Math.min, tightest('maximum', 0, Math.min, Infinity))
  const range = multiplesWithin(lowest, highest, stepOf(sites))
  return range === null ? nothing(at) : { kind: 'integer', at, ...range, whole }
}

const checkBound = (site: SchemaSite, keyword: Bound): void => {
  const bound = site.read(keyword)
  if (bound === undefined || Number.isSafeInteger(bound)) return
  site.refuse(typeof bound === 'number' ? 'number_not_exact' : 'schema_malformed', keyword)
}

const stepOf = (sites: readonly SchemaSite[]): number => {
  let step = 1
  for (const site of sites) {
    const divisor = site.read('multipleOf') ?? 1
    if (typeof divisor !== 'number' || !(divisor > 0)) site.refuse('schema_malformed', 'multipleOf')
    else if (!Number.isSafeInteger(divisor)) site.refuse('number_not_exact', 'multipleOf')
    else step = leastCommonMultiple(step, divisor)
  }
  return step
}
