import { readLength } from './read-length.js'
import type { Shape } from './shape.js'
import type { SchemaSite } from './site.js'

/** `type: array` with one `items` schema and a `maxItems`. */
export const compileArray = (site: SchemaSite): Shape => {
  const fewest = readLength(site, 'minItems', 0)
  const most = readLength(site, 'maxItems', null)
  const items = site.read('items')
  const unique = site.read('uniqueItems') ?? false
  if (fewest === null || most === null || items === undefined) return site.refuse('value_unbounded')
  if (typeof unique !== 'boolean') return site.refuse('schema_malformed', 'uniqueItems')
  if (fewest > most) return site.refuse('schema_contradictory')
  return { kind: 'array', at: site.at, items: site.compile(items, 'items'), fewest, most, unique }
}
