import type { ApiServices } from './api-services.js'
import type { ApiSession } from './api-session.js'
import type { EvaluationResult } from './evaluate-inputs.js'
import { issueReceiptV1 } from './issue-receipt-v1.js'
import { issueReceiptV2 } from './issue-receipt-v2.js'

/**
 * Ends a session with its receipts, in one step: whoever may read sees all of it or nothing. What cannot be signed is
 * not shown: then the session is gone. Never throws.
 */
export function endSession(
  services: ApiServices,
  session: ApiSession,
  evaluation: EvaluationResult,
): ApiSession | undefined {
  try {
    const ended = withReceipts(services, session, evaluation)
    services.table.put(ended)
    return ended
  } catch {
    services.table.remove(session.id)
    return undefined
  }
}

function withReceipts(services: ApiServices, session: ApiSession, evaluation: EvaluationResult): ApiSession {
  const { clock, config } = services
  const { phase } = session
  const endedAt = clock.nowSeconds()
  return {
    ...session,
    phase: {
      kind: 'ended',
      removeMs: clock.nowMs() + config.session_ttl_secs * 1000,
      evaluated: phase.kind === 'processing' ? { startedAt: phase.startedAt, endedAt } : null,
      ending: {
        abort_reason: evaluation.ok ? null : evaluation.reason,
        output: evaluation.ok ? evaluation.output : null,
        receipt: evaluation.ok ? issueReceiptV1(services, session, evaluation.output, endedAt) : null,
        receipt_v2: issueReceiptV2(services, session, evaluation, endedAt),
      },
    },
  }
}
