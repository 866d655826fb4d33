import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'

/**
 * The JSON Schema that one provider takes. To leave a keyword out only widens what a model may say: the guardian
 * holds what it said to the contract's own schema.
 */
export type Dialect = {
  /** Keywords that are passed on; all others are left out. */
  readonly keywords: ReadonlySet<string>
  /** Rewrites one schema, not what is inside it, before its keywords are chosen. */
  readonly rewrite: (schema: JsonObject) => JsonObject
}

const OF_ONE_SCHEMA: readonly string[] = ['items']
const OF_SCHEMAS: readonly string[] = ['anyOf', 'oneOf', 'allOf', 'prefixItems']
const OF_NAMED_SCHEMAS: readonly string[] = ['properties', '$defs', 'definitions']

/** A contract's schema in a provider's dialect. */
export const stripSchema = (schema: JsonObject, dialect: Dialect): JsonObject => {
  const kept = Object.entries(dialect.rewrite(completed(schema))).filter(([keyword]) =>
    dialect.keywords.has(keyword),
  )
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, inner(keyword, value, dialect)]))
}

const inner = (keyword: string, value: JsonValue, dialect: Dialect): JsonValue => {
  const strip = (each: JsonValue): JsonValue => (isJsonObject(each) ? stripSchema(each, dialect) : each)
  if (OF_ONE_SCHEMA.includes(keyword)) return strip(value)
  if (OF_SCHEMAS.includes(keyword) && isJsonArray(value)) return value.map(strip)
  // A property may have a keyword's name: names are never chosen among.
  if (OF_NAMED_SCHEMAS.includes(keyword) && isJsonObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, strip(each)]))
  return value
}

/** States what every dialect wants stated: a type, and that objects are closed. A reference stands alone. */
const completed = (schema: JsonObject): JsonObject => {
  const { $ref, type } = schema
  if ($ref !== undefined) return withDefinitions(schema, { $ref })
  const typed = type === undefined ? { ...schema, ...typeOf(schema) } : schema
  return type === 'object' ? { ...typed, additionalProperties: false } : typed
}

const withDefinitions = ({ $defs, definitions }: JsonObject, reference: JsonObject): JsonObject => ({
  ...reference,
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
})

const typeOf = ({ const: only, enum: several }: JsonObject): JsonObject => {
  const values = only === undefined ? several : [only]
  if (values === undefined || !isJsonArray(values)) return {}
  const [first, ...others] = [...new Set(values.map(typeName))].sort()
  if (first === undefined) return {}
  return { type: others.length === 0 ? first : [first, ...others] }
}

const typeName = (value: JsonValue): string => {
  if (value === null) return 'null'
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  if (isJsonArray(value)) return 'array'
  return typeof value
}
