import type { JsonValue } from '@parley/protocol'
import { FirstRefusal } from '../first-refusal.js'
import type { Refused } from '../refused.js'
import { compileSchema } from '../schema/compile-schema.js'
import { longestValue } from '../schema/longest-value.js'
import type { SchemaCode } from '../schema/schema-code.js'
import type { Shape } from '../schema/shape.js'
import { ValueCounter } from './count-values.js'

/** A counted output schema: every output that it admits is one of `outputs`. */
export type OutputShape = {
  readonly root: Shape
  /** The number of distinct canonical outputs, exactly; below 2^4096. */
  readonly outputs: bigint
  /** No admitted output's canonical JSON is longer, in bytes; at most 1 MiB. */
  readonly maxOutputBytes: number
}

/** The outcome of compiling an output schema. */
export type CompiledOutput = { readonly ok: true; readonly shape: OutputShape } | Refused<SchemaCode>

/**
 * Compiles an output schema and counts it. Anything that cannot be counted is refused with the JSON pointer
 * of the cause: free strings, unbounded numbers, open objects, schemas that contain themselves, alternatives that
 * may overlap, patterns without an end, unknown keywords. Never throws, and ends within a fixed amount of work
 * beyond one that is linear in the schema.
 * @param schema a JSON Schema (2020-12 or draft-07), as the contract carries it
 * @see DESIGN §6, Capacity; protocol SPEC §6
 */
export const compileOutputSchema = (schema: JsonValue): CompiledOutput => {
  const compiled = compileSchema(schema)
  if (!compiled.ok) return compiled
  const refusals = new FirstRefusal<SchemaCode>()
  const outputs = new ValueCounter(refusals).count(compiled.shape)
  const maxOutputBytes = longestValue(compiled.shape, refusals)
  return refusals.found ?? { ok: true, shape: { root: compiled.shape, outputs, maxOutputBytes } }
}
