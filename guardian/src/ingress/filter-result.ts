import { canonicalize, isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { codePoints } from '../code-points.js'

/** What a filter let through, and how many members and items it kept and dropped, at every level. */
export type FilteredResult = {
  readonly data: JsonObject
  readonly passed: number
  readonly rejected: number
}

type Tally = { passed: number; rejected: number }

/**
 * Narrows a worker's result to what the task's `result_schema` declares: a member that is not named in `properties`, or
 * whose value is not of the declared kind, goes, at every level; nothing is added or changed. Without `properties` nothing
 * passes. Numbers that are not integers go, too. It reads `type`, `const`, `enum`, `maxLength`, `properties`, `items`; it
 * is no validator.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const filterResult = (result: JsonObject, schema: JsonObject): FilteredResult => {
  const tally: Tally = { passed: 0, rejected: 0 }
  const data = filterObject(result, schema, tally)
  return { data, ...tally }
}

const filterObject = (object: JsonObject, schema: JsonObject, tally: Tally): JsonObject => {
  const kept: [string, JsonValue][] = []
  for (const [name, value] of Object.entries(object)) {
    const narrowed = filterValue(value, declared(schema, name), tally)
    if (narrowed === undefined) tally.rejected++
    else {
      tally.passed++
      kept.push([name, narrowed])
    }
  }
  // fromEntries defines members, so a name such as __proto__ stays a name.
  return Object.fromEntries(kept)
}

const declared = (schema: JsonObject, name: string): JsonObject | undefined => {
  const properties = own(schema, 'properties')
  const found = properties !== undefined && isJsonObject(properties) ? own(properties, name) : undefined
  return found !== undefined && isJsonObject(found) ? found : undefined
}

const filterValue = (
  value: JsonValue,
  schema: JsonObject | undefined,
  tally: Tally,
): JsonValue | undefined => {
  if (schema === undefined || !isOfKind(value, own(schema, 'type')) || !isListed(value, schema))
    return undefined
  if (isJsonObject(value)) return filterObject(value, schema, tally)
  if (isJsonArray(value)) return filterArray(value, own(schema, 'items'), tally)
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined
  return typeof value === 'string' && isTooLong(value, own(schema, 'maxLength')) ? undefined : value
}

const filterArray = (
  items: readonly JsonValue[],
  schema: JsonValue | undefined,
  tally: Tally,
): readonly JsonValue[] => {
  const of = schema !== undefined && isJsonObject(schema) ? schema : undefined
  return items.flatMap((item) => {
    const narrowed = filterValue(item, of, tally)
    if (narrowed === undefined) tally.rejected++
    else tally.passed++
    return narrowed === undefined ? [] : [narrowed]
  })
}

/** A schema that names no kind lets every kind through; objects and arrays are narrowed by what it says of their insides. */
const isOfKind = (value: JsonValue, type: JsonValue | undefined): boolean => {
  const kinds: readonly JsonValue[] = type === undefined ? [] : isJsonArray(type) ? type : [type]
  if (kinds.length === 0) return true
  const kind = kindOf(value)
  return kinds.includes(kind) || (kind === 'integer' && kinds.includes('number'))
}

const kindOf = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (isJsonArray(value)) return 'array'
  return typeof value === 'number' ? 'integer' : typeof value
}

const isListed = (value: JsonValue, schema: JsonObject): boolean => {
  const only = own(schema, 'const')
  const listed = own(schema, 'enum')
  if (only !== undefined && !isSame(only, value)) return false
  return listed === undefined || (isJsonArray(listed) && listed.some((one) => isSame(one, value)))
}

const isSame = (a: JsonValue, b: JsonValue): boolean => canonicalize(a) === canonicalize(b)

const isTooLong = (text: string, most: JsonValue | undefined): boolean =>
  most !== undefined && !(typeof most === 'number' && codePoints(text) <= most)

// `constructor` is a member of every object, but of none that a peer declared.
const own = (object: JsonObject, name: string): JsonValue | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined
