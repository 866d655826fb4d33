import type { JsonValue } from '@parley/protocol'
import { checkValue, type ValueCheck } from '../schema/check-value.js'
import type { OutputShape } from './output-shape.js'

/**
 * Whether a draft is one of the outputs that were counted: the whole schema, in one walk. Agrees with JSON
 * Schema 2020-12 validation on the family that {@link compileOutputSchema} admits. The code and the pointer
 * depend on the draft: they stay inside.
 */
export const checkOutput = (shape: OutputShape, draft: JsonValue): ValueCheck => checkValue(shape.root, draft)
