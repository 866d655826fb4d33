import { isJsonArray, type JsonObject, type JsonValue } from '@parley/protocol'
import { stripSchema } from './strip-schema.js'

const KEYWORDS = new Set([
  ...['$ref', '$defs', 'title', 'description', 'type', 'enum', 'anyOf', 'oneOf', 'items', 'prefixItems'],
  ...['properties', 'required', 'additionalProperties', 'minItems', 'maxItems', 'minimum', 'maximum'],
])

/** What Gemini's `responseJsonSchema` takes. Its enumerations hold texts and numbers, and it has no `const`. */
export const geminiSchema = (schema: JsonObject): JsonObject =>
  stripSchema(schema, { keywords: KEYWORDS, rewrite: (each) => renamed(constAsEnum(each)) })

const constAsEnum = ({ const: only, enum: several, ...schema }: JsonObject): JsonObject => {
  const values = only === undefined ? several : [only]
  const takes = values !== undefined && isJsonArray(values) && values.every(isTextOrNumber)
  return takes ? { ...schema, enum: values } : schema
}

const isTextOrNumber = (value: JsonValue): boolean => typeof value === 'string' || typeof value === 'number'

/** Draft-07's name of `$defs`, and references to what stands there. */
const renamed = ({ definitions, ...schema }: JsonObject): JsonObject => {
  const { $ref } = schema
  return {
    ...schema,
    ...(definitions === undefined ? {} : { $defs: definitions }),
    ...(typeof $ref === 'string' ? { $ref: $ref.replace(/^#\/definitions\//, '#/$defs/') } : {}),
  }
}
