import * as v from 'valibot'

/** Why a session ended without an output. Each class that participants can tell apart is counted as an outcome. */
export const ABORT_CLASSES = [
  'EXPIRED',
  'CANCELLED',
  'EVALUATION_FAILED',
  'OUTPUT_REFUSED',
  // These three come of a model only.
  'MODEL_REFUSED',
  'MODEL_TRUNCATED',
  'PROVIDER_FAILED',
] as const

export const outcome = v.variant('status', [
  v.strictObject({ status: v.literal('COMPLETED'), abort_class: v.null() }),
  v.strictObject({ status: v.literal('ABORTED'), abort_class: v.picklist(ABORT_CLASSES) }),
])

/** How a session ended. */
export type Outcome = v.InferOutput<typeof outcome>

/** Why a session ended without an output. */
export type AbortClass = (typeof ABORT_CLASSES)[number]

/** Whether a session that ended so had all inputs and was evaluated: such a session is charged (SPEC §11). */
export function wasEvaluated({ abort_class }: Outcome): boolean {
  return abort_class !== 'EXPIRED' && abort_class !== 'CANCELLED'
}

/** Whether only a model can end a session so. */
export function isModelOutcome({ abort_class }: Outcome): boolean {
  return (
    abort_class === 'MODEL_REFUSED' || abort_class === 'MODEL_TRUNCATED' || abort_class === 'PROVIDER_FAILED'
  )
}
