import { readLength } from './read-length.js'
import type { Shape } from './shape.js'
import type { SchemaSite } from './site.js'

/** `type: string` with a `maxLength` in code points. */
export const compileString = (site: SchemaSite): Shape => {
  const shortest = readLength(site, 'minLength', 0)
  const longest = readLength(site, 'maxLength', null)
  if (shortest === null || longest === null) return site.refuse('value_unbounded')
  if (shortest > longest) return site.refuse('schema_contradictory')
  return { kind: 'string', at: site.at, shortest, longest }
}
