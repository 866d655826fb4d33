import { whenAborted } from '../model/transport/when-over.js'
import type { ApiServices } from './api-services.js'
import type { ApiSession } from './api-session.js'
import { endSession } from './end-session.js'
import { evaluateInputs, TIMED_OUT } from './evaluate-inputs.js'
import { currentSession } from './expire-sessions.js'

/** Begins the evaluation: from here on the session holds no input. */
export function processSession(
  services: ApiServices,
  session: ApiSession,
  inputs: readonly [Uint8Array, Uint8Array],
): ApiSession {
  const { clock, config, table } = services
  const abort = new AbortController()
  const result = Promise.race([
    evaluateInputs(services, session.agreed, inputs, abort.signal),
    // A provider that does not heed its signal keeps nobody waiting.
    whenAborted(abort.signal).then(() => TIMED_OUT),
  ])
  const processing: ApiSession = {
    ...session,
    phase: {
      kind: 'processing',
      deadlineMs: clock.nowMs() + config.processing_ttl_secs * 1000,
      startedAt: clock.nowSeconds(),
      abort,
      done: result.then((evaluation) => {
        // What comes after the deadline comes to nothing: the session has ended, with its receipt.
        const now = currentSession(services, session.id)
        if (now?.phase === processing.phase) endSession(services, now, evaluation)
      }),
    },
  }
  table.put(processing)
  return processing
}
