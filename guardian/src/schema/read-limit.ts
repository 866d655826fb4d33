import type { SchemaSite } from './site.js'

type LimitKeyword = 'minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'minProperties' | 'maxProperties'

/** The largest of the lower limits that schemas set, 0 where none does. */
export const readLeast = (sites: readonly SchemaSite[], keyword: LimitKeyword): number =>
  sites.reduce((least, site) => Math.max(least, readLimit(site, keyword) ?? 0), 0)

/** The smallest of the upper limits that schemas set, infinite where none does. */
export const readMost = (sites: readonly SchemaSite[], keyword: LimitKeyword): number =>
  sites.reduce((most, site) => Math.min(most, readLimit(site, keyword) ?? Infinity), Infinity)

const readLimit = (site: SchemaSite, keyword: LimitKeyword): number | undefined => {
  const limit = site.read(keyword)
  if (limit === undefined) return undefined
  // Adding 0 makes one zero of two.
  if (typeof limit === 'number' && Number.isSafeInteger(limit) && limit >= 0) return limit + 0
  site.refuse('schema_malformed', keyword)
  return undefined
}
