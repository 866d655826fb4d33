import {
  type ByRole,
  type Contract,
  hash,
  type JsonObject,
  type JsonValue,
  type Role,
  rolesOf,
} from '@parley/protocol'
import { compileOutputSchema, type OutputShape } from '../capacity/output-shape.js'
import type { OutputShapeCache } from '../capacity/output-shape-cache.js'
import { compileInputSchema, type InputShape } from '../input/input-shape.js'
import { below, type Refused, refused } from '../refused.js'
import type { Registry } from '../registry/registry.js'
import type { SchemaCode } from '../schema/schema-code.js'

/** Why an output schema is refused. The union is closed. */
export type OutputSchemaCode =
  | SchemaCode
  | 'output_schema_hash_mismatch'
  /** A stub whose schema the registry does not have, or does not admit. */
  | 'output_schema_unknown'

/** Why an input schema is refused. The union is closed. */
export type InputSchemaCode = SchemaCode | 'input_too_large'

/** What each role may submit. */
export type InputShapes = ByRole<InputShape>

/**
 * No longer input may be admitted, in bytes of canonical JSON. Reading one takes time that its owner chooses and
 * the host may see; a program that is to do more than read has no use for more.
 */
export const MOST_INPUT_BYTES = 65_536

/** An output schema that was found, compiled and counted. */
export type AdmittedSchema = {
  readonly output: OutputShape
  readonly output_schema: JsonObject
  readonly output_schema_hash: string
}

/** Admits the output schema: counted, and the one that the contract's hash names. */
export const admitOutputSchema = (asked: {
  readonly contract: Contract
  readonly registry: Registry
  readonly shapes?: OutputShapeCache
}): { readonly ok: true; readonly admitted: AdmittedSchema } | Refused<OutputSchemaCode> => {
  const found = findSchema(asked)
  if (!found.ok) return found
  const { output_schema } = found
  const compiled = asked.shapes?.compile(output_schema) ?? compileOutputSchema(output_schema)
  if (!compiled.ok) return below('/output_schema', compiled)
  return {
    ok: true,
    admitted: { output: compiled.shape, output_schema, output_schema_hash: hash(output_schema) },
  }
}

/**
 * AgentVault's stub is an object without `properties`, and its hash names a schema of the registry. Ours is empty: what
 * else it said would look as if it held.
 */
const findSchema = ({
  contract: { output_schema, output_schema_hash: named },
  registry,
}: {
  readonly contract: Contract
  readonly registry: Registry
}):
  | { readonly ok: true; readonly output_schema: JsonObject }
  | Refused<'output_schema_hash_mismatch' | 'output_schema_unknown'> => {
  if (named === undefined || named === hash(output_schema)) return { ok: true, output_schema }
  if (Object.keys(output_schema).length > 0)
    return refused('output_schema_hash_mismatch', '/output_schema_hash')
  const kept = registry.artefact('schema', named)
  return kept === undefined || hash(kept) !== named
    ? refused('output_schema_unknown', '/output_schema_hash')
    : { ok: true, output_schema: kept }
}

/** Admits the input schemas, or null where the contract leaves inputs free. */
export const admitInputSchemas = ({
  input_schemas,
  participants,
}: Contract): { readonly ok: true; readonly inputs: InputShapes | null } | Refused<InputSchemaCode> => {
  if (input_schemas === undefined) return { ok: true, inputs: null }
  const inputs: Partial<Record<Role, InputShape>> = {}
  for (const role of rolesOf(participants.length)) {
    const admitted = admitInputSchema(input_schemas[role] ?? null)
    if (!admitted.ok) return below(`/input_schemas/${role}`, admitted)
    inputs[role] = admitted.shape
  }
  return { ok: true, inputs }
}

const admitInputSchema = (
  schema: JsonValue,
): { readonly ok: true; readonly shape: InputShape } | Refused<InputSchemaCode> => {
  const compiled = compileInputSchema(schema)
  if (!compiled.ok || compiled.shape.maxInputBytes <= MOST_INPUT_BYTES) return compiled
  return refused('input_too_large', '', `${compiled.shape.maxInputBytes} bytes over ${MOST_INPUT_BYTES}`)
}
