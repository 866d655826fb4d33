import { isJsonArray, isJsonObject, type JsonValue } from '@parley/protocol'
import type { Shape } from './shape.js'
import type { SchemaSite } from './site.js'

/** `type: object` with `additionalProperties: false`; what is not in `required` may be absent. */
export const compileObject = (site: SchemaSite): Shape => {
  const open = site.read('additionalProperties')
  if (open === undefined) return site.refuse('object_open')
  if (open !== false) return site.refuse('object_open', 'additionalProperties')
  const properties = site.read('properties') ?? {}
  if (!isJsonObject(properties)) return site.refuse('schema_malformed', 'properties')
  const required = readRequired(site.read('required') ?? [])
  if (required === null) return site.refuse('schema_malformed', 'required')
  // An undeclared member that must be there, and may not be there.
  if ([...required].some((name) => !Object.hasOwn(properties, name)))
    return site.refuse('schema_contradictory', 'required')
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      [name, { shape: site.compile(schema, 'properties', name), required: required.has(name) }] as const,
  )
  return { kind: 'object', at: site.at, members: new Map(members) }
}

const readRequired = (value: JsonValue): ReadonlySet<string> | null => {
  if (!isJsonArray(value)) return null
  const names = new Set(value.filter((name) => typeof name === 'string'))
  return names.size === value.length ? names : null
}
