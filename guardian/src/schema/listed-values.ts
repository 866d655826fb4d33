import {
  canonicalize,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ProtocolError,
} from '@parley/protocol'
import { nothing, type ObjectShape, type Scalar, type Shape } from './shape.js'
import type { Conjuncts, SchemaSite } from './site.js'
import type { Work } from './work.js'

type Listed = ReadonlyMap<string, JsonValue>

/** The values that every `const` and `enum` lists, or undefined where there is none. */
export const readListed = ({ sites, work }: Conjuncts): readonly JsonValue[] | undefined => {
  let listed: Listed | undefined
  for (const site of sites)
    for (const values of [constOf(site), enumOf(site, work)]) {
      const common = listed
      if (values !== undefined)
        listed = common === undefined ? values : new Map([...values].filter(([text]) => common.has(text)))
    }
  return listed === undefined ? undefined : [...listed.values()]
}

const constOf = (site: SchemaSite): Listed | undefined => {
  const value = site.read('const')
  return value === undefined ? undefined : byText(site, [value], 'const')
}

const enumOf = (site: SchemaSite, work: Work): Listed | undefined => {
  const values = site.read('enum')
  if (values === undefined) return undefined
  const list = isJsonArray(values) ? values : []
  if (list.length === 0) site.refuse('schema_malformed', 'enum')
  if (!work.spend(list.length)) site.refuse('schema_too_complex', 'enum')
  const listed = work.exhausted ? new Map<string, JsonValue>() : byText(site, list, 'enum')
  // A set, as JSON Schema, knows one zero: 0 and -0 are duplicates.
  if (listed.size !== list.length) site.refuse('enum_duplicate', 'enum')
  return listed
}

/** Values by their canonical text; those that have none are refused. */
const byText = (site: SchemaSite, values: readonly JsonValue[], keyword: string): Map<string, JsonValue> => {
  const found = new Map<string, JsonValue>()
  for (const value of values) {
    const text = textOf(site, value, keyword)
    if (text === null) return found
    if (!isExact(value)) site.refuse('number_not_exact', keyword)
    found.set(text, value)
  }
  return found
}

const textOf = (site: SchemaSite, value: JsonValue, keyword: string): string | null => {
  try {
    return canonicalize(value)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    site.refuse(error.code === 'json_too_deep' ? 'schema_too_deep' : 'schema_malformed', keyword)
    return null
  }
}

/** Whether all numbers in a value are integers in ±(2^53−1). */
const isExact = (value: JsonValue): boolean => {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (isScalar(value)) return true
  return (isJsonArray(value) ? value : Object.values(value)).every(isExact)
}

/** The shape of distinct values: a set of the scalars, and one shape for each array or object. */
export const shapeOfValues = (values: readonly JsonValue[], at: string): Shape => {
  const scalars = new Set(values.filter(isScalar))
  const branches: Shape[] = scalars.size > 0 ? [{ kind: 'scalars', at, scalars }] : []
  for (const value of values) if (!isScalar(value)) branches.push(shapeOfValue(value, at))
  const [only] = branches
  if (only === undefined || branches.length === 1) return only ?? nothing(at)
  return { kind: 'union', at, branches, untyped: false }
}

const shapeOfValue = (value: JsonValue, at: string): Shape => {
  if (isJsonArray(value)) {
    const prefix = value.map((item) => shapeOfValue(item, at))
    const length = value.length
    return { kind: 'array', at, prefix, items: nothing(at), fewest: length, most: length, unique: false }
  }
  return isJsonObject(value) ? shapeOfObject(value, at) : { kind: 'scalars', at, scalars: new Set([value]) }
}

const shapeOfObject = (value: JsonObject, at: string): ObjectShape => {
  const members = new Map(
    Object.entries(value).map(([name, member]) => [
      name,
      { shape: shapeOfValue(member, at), required: true, at },
    ]),
  )
  return { kind: 'object', at, members, others: null, fewest: 0, most: Infinity, needs: [] }
}

const isScalar = (value: JsonValue): value is Scalar => typeof value !== 'object' || value === null
