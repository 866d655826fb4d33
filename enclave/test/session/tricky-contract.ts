import { type Contract, hash, parseContract } from '@parley/protocol'
import { CONTRACT } from './test-relay.js'

const program = {
  language: 'cel' as const,
  source:
    '{"word": ["NO", "A_MUCH_LONGER_WORD_THAN_THE_OTHER", "NOT_ONE_OF_THE_LIST"][initiator.n + responder.n]}',
  cost_limit: 1000,
}

const n = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 0, maximum: 9 } },
  required: ['n'],
  additionalProperties: false,
}

const output_schema = {
  type: 'object',
  properties: { word: { type: 'string', enum: ['NO', 'A_MUCH_LONGER_WORD_THAN_THE_OTHER'] } },
  required: ['word'],
  additionalProperties: false,
}

/** A sum of 0 or 1 gives a word, 2 a draft that the guardian refuses, 3 and more a fault. */
export const TRICKY: Contract = parseContract({
  ...CONTRACT,
  output_schema,
  output_schema_hash: hash(output_schema),
  program,
  program_hash: hash(program),
  input_schemas: { initiator: n, responder: n },
})
