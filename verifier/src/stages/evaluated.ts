import type { Outcome } from '@parley/protocol'

/** Whether a session that ended so had both inputs and was evaluated: such a session is charged (SPEC §11). */
export const wasEvaluated = ({ status, abort_class }: Outcome): boolean =>
  status === 'COMPLETED' || abort_class === 'EVALUATION_FAILED' || abort_class === 'OUTPUT_REFUSED'
