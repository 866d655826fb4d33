import { isJsonArray, type JsonValue } from '@parley/protocol'
import type { Scalar, Shape } from './shape.js'
import type { SchemaSite } from './site.js'

/** `const`: one scalar. */
export const compileConst = (site: SchemaSite): Shape => {
  const value = site.read('const') ?? null
  return isScalar(value)
    ? scalarsShape(site, [value], ['const'])
    : site.refuse('keyword_unsupported', 'const')
}

/** `enum`: scalars, each named once. */
export const compileEnum = (site: SchemaSite): Shape => {
  const values = site.read('enum') ?? null
  if (!isJsonArray(values) || values.length === 0) return site.refuse('schema_malformed', 'enum')
  const stranger = values.findIndex((value) => !isScalar(value))
  if (stranger !== -1) return site.refuse('keyword_unsupported', 'enum', stranger)
  return scalarsShape(site, values.filter(isScalar), ['enum'])
}

/** `type: boolean`. */
export const compileBoolean = (site: SchemaSite): Shape => scalarsShape(site, [false, true], [])

/** `type: null`. */
export const compileNull = (site: SchemaSite): Shape => scalarsShape(site, [null], [])

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object' || value === null

const scalarsShape = (site: SchemaSite, values: readonly Scalar[], path: readonly string[]): Shape => {
  if (values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
    return site.refuse('number_not_exact', ...path)
  const type = site.read('type')
  // A member of another type could never be output; it would only swell the count.
  if (type !== undefined && !values.every((value) => isOfType(value, type)))
    return site.refuse('schema_contradictory', 'type')
  // A set, as JSON Schema, knows one zero: 0 and -0 are duplicates.
  const scalars = new Set(values)
  if (scalars.size !== values.length) return site.refuse('enum_duplicate', ...path)
  return { kind: 'scalars', at: site.at, scalars }
}

const isOfType = (value: Scalar, type: JsonValue): boolean => {
  if (value === null) return type === 'null'
  return typeof value === 'number' ? type === 'integer' || type === 'number' : type === typeof value
}
