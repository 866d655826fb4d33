import { type Contract, hash, type JsonValue } from '@parley/protocol'
import { compileOutputSchema, type OutputShape } from '../capacity/output-shape.js'
import type { OutputShapeCache } from '../capacity/output-shape-cache.js'
import { compileInputSchema, type InputShape } from '../input/input-shape.js'
import { below, type Refused, refused } from '../refused.js'
import type { SchemaCode } from '../schema/schema-code.js'

/** Why an input schema is refused. The union is closed. */
export type InputSchemaCode = SchemaCode | 'input_too_large'

/** What each role may submit. */
export type InputShapes = { readonly initiator: InputShape; readonly responder: InputShape }

/**
 * No longer input may be admitted, in bytes of canonical JSON. Reading one takes time that its owner chooses and
 * the host may see; a program that is to do more than read has no use for more.
 */
export const MOST_INPUT_BYTES = 65_536

/** Admits the output schema: counted, and the one that the contract's hash names. */
export const admitOutputSchema = (
  { output_schema, output_schema_hash: named }: Contract,
  shapes: OutputShapeCache | undefined,
):
  | { readonly ok: true; readonly output: OutputShape; readonly output_schema_hash: string }
  | Refused<SchemaCode | 'output_schema_hash_mismatch'> => {
  const output_schema_hash = hash(output_schema)
  if (named !== undefined && named !== output_schema_hash)
    return refused('output_schema_hash_mismatch', '/output_schema_hash')
  const compiled = shapes?.compile(output_schema) ?? compileOutputSchema(output_schema)
  return compiled.ok
    ? { ok: true, output: compiled.shape, output_schema_hash }
    : below('/output_schema', compiled)
}

/** Admits the input schemas, or null where the contract leaves inputs free. */
export const admitInputSchemas = ({
  input_schemas,
}: Contract): { readonly ok: true; readonly inputs: InputShapes | null } | Refused<InputSchemaCode> => {
  if (input_schemas === undefined) return { ok: true, inputs: null }
  const initiator = admitInputSchema(input_schemas.initiator)
  if (!initiator.ok) return below('/input_schemas/initiator', initiator)
  const responder = admitInputSchema(input_schemas.responder)
  if (!responder.ok) return below('/input_schemas/responder', responder)
  return { ok: true, inputs: { initiator: initiator.shape, responder: responder.shape } }
}

const admitInputSchema = (
  schema: JsonValue,
): { readonly ok: true; readonly shape: InputShape } | Refused<InputSchemaCode> => {
  const compiled = compileInputSchema(schema)
  if (!compiled.ok || compiled.shape.maxInputBytes <= MOST_INPUT_BYTES) return compiled
  return refused('input_too_large', '')
}
