import { readFileSync } from 'node:fs'
import {
  type Contract,
  hash,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseContract,
  parseJson,
} from '@parley/protocol'

const shipped = parseJson(
  readFileSync(new URL('../../registry/contracts/negotiation-band.json', import.meta.url)),
)
if (!isJsonObject(shipped)) throw new Error('the shipped contract is no object')

/** The contract that Parley ships: a buyer's ceiling, a seller's floor. */
export const NEGOTIATION: Contract = parseContract(shipped)

export const CEILING: JsonObject = { ceiling: 1_200_000, currency: 'EUR' }
export const FLOOR: JsonObject = { floor: 1_000_000, currency: 'EUR' }

/** Another contract between the same two: a program, its output and what each side may submit. */
export const contractOf = (terms: {
  readonly source: string
  readonly output: JsonObject
  readonly inputs: NonNullable<Contract['input_schemas']>
  readonly more?: JsonObject
}): Contract => {
  const { enforcement_policy_hash: _, ...rest } = NEGOTIATION
  const program = { language: 'cel' as const, source: terms.source, cost_limit: 2000 }
  return parseContract({
    ...rest,
    output_schema: terms.output,
    output_schema_hash: hash(terms.output),
    program,
    program_hash: hash(program),
    input_schemas: terms.inputs,
    ...terms.more,
  })
}

/** An object schema that requires all of its members. */
export const record = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})

const WORDS: JsonValue = ['NO', 'YES', 'A_MUCH_LONGER_WORD_THAN_THE_OTHERS']
const number = { type: 'integer', minimum: 0, maximum: 1_000_000_000_000 }

/** A sum of 0, 1, 2 gives a word; 3 a draft that the guardian refuses; whatever is over 3 a fault. */
export const TRICKY = contractOf({
  source:
    '{"word": ["NO", "YES", "A_MUCH_LONGER_WORD_THAN_THE_OTHERS", "NOT_IN_THE_LIST"][initiator.n + responder.n]}',
  output: record({ word: { type: 'string', enum: WORDS } }),
  inputs: { initiator: record({ n: number }), responder: record({ n: number }) },
})

/** Looks for a word in a note; told to, it fails over the note, or drafts the note itself. */
export const NOTES = contractOf({
  source: [
    'initiator.how == "FAIL" ? {"word": [initiator.note][responder.word.size()]} :',
    'initiator.how == "TELL" ? {"word": initiator.note + responder.word} :',
    '{"word": initiator.note.contains(responder.word) ? "YES" : "NO"}',
  ].join('\n'),
  output: record({ word: { type: 'string', enum: ['NO', 'YES'] } }),
  inputs: {
    initiator: record({
      note: { type: 'string', maxLength: 200 },
      how: { type: 'string', enum: ['LOOK', 'FAIL', 'TELL'] },
    }),
    responder: record({ word: { type: 'string', maxLength: 200 } }),
  },
})
