import type { JsonObject } from '@parley/protocol'
import { stripSchema } from './strip-schema.js'

const KEYWORDS = new Set([
  ...[
    '$ref',
    '$defs',
    'definitions',
    'title',
    'description',
    'type',
    'enum',
    'const',
    'anyOf',
    'oneOf',
    'allOf',
  ],
  ...['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'pattern'],
])

/** What llama.cpp turns into a grammar. */
export const localSchema = (schema: JsonObject): JsonObject =>
  stripSchema(schema, { keywords: KEYWORDS, rewrite: (each) => each })
