import { compileOutputSchema, type OutputShape } from '@parley/guardian'
import { canonicalBytes, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { shippedContract } from '../session/shipped-contract.js'

/** An output schema, and an output that it admits. */
export type SizedSchema = {
  readonly name: string
  readonly bytes: Uint8Array
  readonly shape: OutputShape
  readonly output: JsonObject
}

/** What the shipped limits admit of a contract, in canonical bytes; the rest of a contract takes no more than 4 KiB. */
const SCHEMA_BYTES = 65_536 - 4096

const VALUES = 32

// Letters alone: the shipped policy admits no digits in an output.
const letters = (number: number): string =>
  Array.from(String(number), (digit) => String.fromCharCode(65 + Number(digit))).join('')

const valueOf = (member: number, value: number): string => `VALUE_${letters(member)}_${letters(value)}`

/** An object of so many members, each one of 32 words. */
function wordsSchema(members: number): { readonly schema: JsonObject; readonly output: JsonObject } {
  const names = Array.from({ length: members }, (_, member) => `member_${String(member)}`)
  const property = (name: string, member: number): [string, JsonValue] => [
    name,
    { type: 'string', enum: Array.from({ length: VALUES }, (_, value) => valueOf(member, value)) },
  ]
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(names.map(property)),
      required: names,
      additionalProperties: false,
    },
    output: Object.fromEntries(names.map((name, member) => [name, valueOf(member, member % VALUES)])),
  }
}

function sized(name: string, schema: JsonValue, output: JsonObject): SizedSchema {
  const compiled = compileOutputSchema(schema)
  if (!compiled.ok) throw new Error(`a schema is refused: ${compiled.code}`)
  return { name, bytes: canonicalBytes(schema), shape: compiled.shape, output }
}

function shipped(): JsonValue {
  const contract = shippedContract()
  const schema = isJsonObject(contract) ? contract['output_schema'] : undefined
  if (schema === undefined) throw new Error('a contract without an output schema')
  return schema
}

/** A shipped one, a medium one, and the largest that fits into a contract. */
export function sizedSchemas(): readonly SizedSchema[] {
  let members = 16
  while (canonicalBytes(wordsSchema(members + 1).schema).length <= SCHEMA_BYTES) members += 1
  const medium = wordsSchema(16)
  const largest = wordsSchema(members)
  return [
    sized('small', shipped(), { overlap: 'WIDE', band: 'MILLIONS' }),
    sized('medium', medium.schema, medium.output),
    sized('largest admissible', largest.schema, largest.output),
  ]
}
