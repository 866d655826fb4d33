import { isJsonObject, type JsonObject } from '@parley/protocol'
import { oneOfAsAnyOf } from './one-of-as-any-of.js'
import { stripSchema } from './strip-schema.js'

const KEYWORDS = new Set([
  ...['$ref', '$defs', 'definitions', 'title', 'description', 'type', 'enum', 'const', 'anyOf', 'allOf'],
  ...['properties', 'required', 'additionalProperties', 'items', 'minItems'],
])

/** What Anthropic's structured outputs take: no bounds of numbers and texts, and of arrays only a least size of 0 or 1. */
export const anthropicSchema = (schema: JsonObject): JsonObject =>
  stripSchema(schema, { keywords: KEYWORDS, rewrite: (each) => simpleArray(oneOfAsAnyOf(each)) })

const simpleArray = ({ minItems, items, ...schema }: JsonObject): JsonObject => ({
  ...schema,
  ...(items !== undefined && isJsonObject(items) ? { items } : {}),
  ...(minItems === 0 || minItems === 1 ? { minItems } : {}),
})
