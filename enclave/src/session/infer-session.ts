import { providerEntity } from '../effects/effect-resources.js'
import type { SessionEffects } from '../effects/session-effects.js'
import { RelayError } from '../relay-error.js'
import { aborted, type Release } from '../release/release.js'
import { evaluateSession, type SessionToEvaluate } from './evaluate-session.js'
import type { Services } from './services.js'
import type { Cell } from './session-table.js'

/** A session to evaluate, and the moments at which that may begin. */
export type SessionToInfer = SessionToEvaluate & { readonly slotMs: number; readonly deadlineMs: number }

/**
 * Evaluates a session, as the effect that this is. Where the log cannot take its start, nothing is evaluated, and it is
 * tried again a slot later for as long as the session may last.
 * @throws RelayError `evaluator_failed`, `store_failed`
 */
export const inferSession = async (
  services: Services,
  cell: Cell,
  effects: SessionEffects,
  { slotMs, deadlineMs, ...asked }: SessionToInfer,
): Promise<Release> => {
  const { bundle, clock, closed, ticks } = services
  const resource = providerEntity(bundle.data, asked.agreement)
  for (let slot = 0; ; slot++) {
    const acceptedMs = asked.acceptedMs + slot * slotMs
    await clock.sleepUntil(ticks.atOrAfter(acceptedMs + bundle.limits.tick_ms))
    if (closed()) throw new RelayError('store_failed', 'the relay is closing')
    const performed = await effects.perform({ effect: 'infer', resource }, () =>
      evaluateSession(services, effects, { ...asked, acceptedMs }),
    )
    if (performed.kind === 'done') return performed.value
    if (performed.kind === 'denied') return aborted('EVALUATION_FAILED')
    await noteFailure(cell)
    if (clock.nowMs() >= deadlineMs) throw new RelayError('store_failed', 'an evaluation was not recorded')
  }
}

/** The participants are told that it is the relay that they wait for. */
const noteFailure = (cell: Cell): Promise<void> =>
  cell.serial(() => {
    if (cell.current.kind === 'live') cell.current = { ...cell.current, commitFailed: true }
    return Promise.resolve()
  })
