import type { ModelRequest } from '../../../src/model/model-provider.js'

/** A schema with something in it that every API has to have left out. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['band', 'reasons', 'share', 'final', 'version'],
  additionalProperties: false,
  properties: {
    band: { enum: ['NEAR', 'FAR'] },
    reasons: {
      type: 'array',
      items: { $ref: '#/$defs/reason' },
      minItems: 2,
      maxItems: 3,
      uniqueItems: true,
    },
    share: { type: 'integer', minimum: 0, maximum: 10, 'x-note': 'tenths' },
    final: { type: 'boolean' },
    version: { const: '1' },
  },
  $defs: { reason: { type: 'string', enum: ['PRICE', 'TIME', 'PLACE'] } },
}

export const DRAFT = '{"band":"NEAR","reasons":["PRICE","TIME"],"share":3,"final":true,"version":"1"}'

export const REQUEST: ModelRequest = {
  system: 'Say how far two budgets are apart.',
  user: 'CANARY-OF-AN-INPUT',
  output_schema: SCHEMA,
  model_id: 'a-model-1',
  max_completion_tokens: 256,
}

/** A signal that nobody aborts. */
export const never = (): AbortSignal => new AbortController().signal
