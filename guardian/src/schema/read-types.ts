import { isJsonArray, type JsonValue } from '@parley/protocol'
import type { SchemaSite } from './site.js'

const NAMES = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const

/** A name of JSON Schema's for a kind of value. */
export type TypeName = (typeof NAMES)[number]

/** The types that all sites admit, or null where none names one. `number` is there only with `integer`, its part. */
export const readTypes = (sites: readonly SchemaSite[]): ReadonlySet<TypeName> | null => {
  let types: ReadonlySet<TypeName> | null = null
  for (const site of sites) {
    const named = namedTypes(site)
    if (named === undefined) continue
    types = new Set([...named].filter((name) => types?.has(name) ?? true))
  }
  return types
}

const namedTypes = (site: SchemaSite): ReadonlySet<TypeName> | undefined => {
  const type = site.read('type')
  if (type === undefined) return undefined
  const listed = isJsonArray(type) ? type : [type]
  const names = new Set(listed.filter(isTypeName))
  if (names.size === 0 || names.size !== listed.length) site.refuse('schema_malformed', 'type')
  return names.has('number') ? names.add('integer') : names
}

const isTypeName = (value: JsonValue): value is TypeName => NAMES.some((name) => name === value)
