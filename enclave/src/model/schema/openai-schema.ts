import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { oneOfAsAnyOf } from './one-of-as-any-of.js'
import { stripSchema } from './strip-schema.js'

const KEYWORDS = new Set([
  ...['$ref', '$defs', 'definitions', 'title', 'description', 'type', 'enum', 'const', 'anyOf'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems', 'pattern'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
])

/** Over all enumerations of a schema in strict mode. */
const MAX_ENUM_VALUES = 1000

/** What OpenAI's structured outputs take. */
export const openAiSchema = (schema: JsonObject): JsonObject =>
  stripSchema(schema, { keywords: KEYWORDS, rewrite: oneOfAsAnyOf })

/**
 * Whether a stripped schema may be asked for in strict mode, which knows no optional member and wants an object at
 * the root. Otherwise the schema still guides the model, and the guardian checks as ever.
 */
export const fitsStrictMode = (schema: JsonObject): boolean => {
  const all = [...schemasIn(schema)]
  const values = all.reduce(
    (sum, { enum: several = [] }) => sum + (isJsonArray(several) ? several.length : 0),
    0,
  )
  return schema['type'] === 'object' && all.every(statesAll) && values <= MAX_ENUM_VALUES
}

const statesAll = ({ type, properties = {}, required = [] }: JsonObject): boolean => {
  if (type !== 'object') return true
  if (!isJsonObject(properties) || !isJsonArray(required)) return false
  return Object.keys(properties).every((name) => required.includes(name))
}

/** A schema and all those inside it. A property called like a keyword makes one too many, which can only say no. */
function* schemasIn(value: JsonValue): Generator<JsonObject> {
  if (typeof value !== 'object' || value === null) return
  if (!isJsonArray(value)) yield value
  for (const each of Object.values(value)) yield* schemasIn(each)
}
