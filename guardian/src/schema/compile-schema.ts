import { isJsonObject, type JsonObject, type JsonValue, MAX_JSON_DEPTH } from '@parley/protocol'
import { FirstRefusal } from '../first-refusal.js'
import type { Refused } from '../refused.js'
import { compileArray } from './compile-array.js'
import { compileInteger } from './compile-integer.js'
import { compileObject } from './compile-object.js'
import { compileBoolean, compileConst, compileEnum, compileNull } from './compile-scalars.js'
import { compileString } from './compile-string.js'
import { pointerTo } from './json-pointer.js'
import { type Form, formOf, strangeKeyword } from './keywords.js'
import type { SchemaCode } from './schema-code.js'
import type { Shape } from './shape.js'
import { ownMember, type SchemaSite } from './site.js'

const COMPILERS: Readonly<Record<Form, (site: SchemaSite) => Shape>> = {
  const: compileConst,
  enum: compileEnum,
  boolean: compileBoolean,
  null: compileNull,
  integer: compileInteger,
  string: compileString,
  array: compileArray,
  object: compileObject,
}

/** The dialects whose keywords mean here what they say there. */
const DIALECT = /^https?:\/\/json-schema\.org\/(?:draft\/2020-12|draft-07)\/schema#?$/

/**
 * Compiles a JSON Schema of the closed family: const, enum, boolean, null, bounded integer, bounded string,
 * bounded array, closed object. Whatever else it says is refused, never ignored.
 */
export const compileSchema = (
  schema: JsonValue,
): { readonly ok: true; readonly shape: Shape } | Refused<SchemaCode> => {
  const refusals = new FirstRefusal<SchemaCode>()
  const shape = compileAt(schema, '', 0, refusals)
  return refusals.found ?? { ok: true, shape }
}

const compileAt = (
  schema: JsonValue,
  at: string,
  depth: number,
  refusals: FirstRefusal<SchemaCode>,
): Shape => {
  const refuse: SchemaSite['refuse'] = (code, ...path) => {
    refusals.refuse(code, pointerTo(at, ...path))
    return { kind: 'scalars', at, scalars: new Set() }
  }
  if (depth === MAX_JSON_DEPTH) return refuse('schema_too_deep')
  if (!isJsonObject(schema)) return refuse('schema_malformed')
  return compileForm(schema, {
    at,
    refuse,
    read: (keyword) => ownMember(schema, keyword),
    compile: (child, ...path) => compileAt(child, pointerTo(at, ...path), depth + 1, refusals),
  })
}

const compileForm = (schema: JsonObject, site: SchemaSite): Shape => {
  const dialect = site.read('$schema')
  if (dialect !== undefined && !(typeof dialect === 'string' && DIALECT.test(dialect)))
    return site.refuse('keyword_unsupported', '$schema')
  const form = formOf(schema)
  const strange = strangeKeyword(schema, form)
  if (strange !== undefined) return site.refuse('keyword_unsupported', strange)
  return form === null ? refuseFormless(site) : COMPILERS[form](site)
}

const refuseFormless = (site: SchemaSite): Shape => {
  const type = site.read('type')
  if (type === undefined) return site.refuse('value_unbounded')
  if (type === 'number') return site.refuse('value_unbounded', 'type')
  return site.refuse(isTypeList(type) ? 'keyword_unsupported' : 'schema_malformed', 'type')
}

const isTypeList = (type: JsonValue): boolean => typeof type === 'object' && type !== null
