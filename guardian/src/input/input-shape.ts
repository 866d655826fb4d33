import type { JsonValue } from '@parley/protocol'
import { FirstRefusal } from '../first-refusal.js'
import type { Refused } from '../refused.js'
import { checkValue, type ValueCheck } from '../schema/check-value.js'
import { compileSchema } from '../schema/compile-schema.js'
import { longestValue } from '../schema/longest-value.js'
import type { SchemaCode } from '../schema/schema-code.js'
import type { Shape } from '../schema/shape.js'

/** What one role may submit. Not counted: an input is not disclosed. */
export type InputShape = {
  readonly root: Shape
  /** No admitted input's canonical JSON is longer, in bytes; at most 1 MiB. */
  readonly maxInputBytes: number
}

/** The outcome of compiling an input schema. */
export type CompiledInput = { readonly ok: true; readonly shape: InputShape } | Refused<SchemaCode>

/**
 * Compiles an input schema: the family of output schemas, and strings with a `maxLength`. Integers state both
 * bounds, so that a program meets exact integers only. Never throws.
 * @see protocol SPEC §6, `input_schemas`
 */
export const compileInputSchema = (schema: JsonValue): CompiledInput => {
  const compiled = compileSchema(schema)
  if (!compiled.ok) return compiled
  const refusals = new FirstRefusal<SchemaCode>()
  const maxInputBytes = longestValue(compiled.shape, refusals)
  return refusals.found ?? { ok: true, shape: { root: compiled.shape, maxInputBytes } }
}

/** Whether a participant may submit this input. The pointer names declared members only: for its owner's eyes. */
export const checkInput = (shape: InputShape, input: JsonValue): ValueCheck => checkValue(shape.root, input)
