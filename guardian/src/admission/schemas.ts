import { type Contract, hash } from '@parley/protocol'
import { compileOutputSchema, type OutputShape } from '../capacity/output-shape.js'
import type { OutputShapeCache } from '../capacity/output-shape-cache.js'
import { compileInputSchema, type InputShape } from '../input/input-shape.js'
import { below, type Refused, refused } from '../refused.js'
import type { SchemaCode } from '../schema/schema-code.js'

/** What each role may submit. */
export type InputShapes = { readonly initiator: InputShape; readonly responder: InputShape }

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
}: Contract): { readonly ok: true; readonly inputs: InputShapes | null } | Refused<SchemaCode> => {
  if (input_schemas === undefined) return { ok: true, inputs: null }
  const initiator = compileInputSchema(input_schemas.initiator)
  if (!initiator.ok) return below('/input_schemas/initiator', initiator)
  const responder = compileInputSchema(input_schemas.responder)
  if (!responder.ok) return below('/input_schemas/responder', responder)
  return { ok: true, inputs: { initiator: initiator.shape, responder: responder.shape } }
}
