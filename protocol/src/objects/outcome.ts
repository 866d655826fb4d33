import * as v from 'valibot'

/** Why a session ended without an output. Each class that participants can tell apart is counted as an outcome. */
export const ABORT_CLASSES = ['EXPIRED', 'CANCELLED', 'EVALUATION_FAILED', 'OUTPUT_REFUSED'] as const

export const outcome = v.variant('status', [
  v.strictObject({ status: v.literal('COMPLETED'), abort_class: v.null() }),
  v.strictObject({ status: v.literal('ABORTED'), abort_class: v.picklist(ABORT_CLASSES) }),
])

/** How a session ended. */
export type Outcome = v.InferOutput<typeof outcome>

/** Why a session ended without an output. */
export type AbortClass = (typeof ABORT_CLASSES)[number]
