/** What can follow what in an effect's life. A state is the name of the last event; one without followers is an end. */
export const EFFECT_STATES = {
  requested: ['denied', 'approval_required', 'started', 'failed', 'cancelled'],
  approval_required: ['approved', 'denied', 'expired', 'failed', 'cancelled'],
  approved: ['denied', 'started', 'failed', 'cancelled'],
  started: ['completed', 'failed', 'cancelled'],
  denied: [],
  expired: [],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>

/** The state of an effect, and the name of the event that led to it. */
export type EffectState = keyof typeof EFFECT_STATES

/** The same for a run. */
export const RUN_STATES = {
  started: ['completed', 'failed', 'cancelled'],
  completed: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<string, readonly string[]>

/** The state of a run. */
export type RunState = keyof typeof RUN_STATES

/** True if an effect may go from one state to the other. */
export const mayFollow = (from: EffectState, to: EffectState): boolean =>
  EFFECT_STATES[from].some((next: EffectState) => next === to)

/** True if nothing follows. */
export const isEnd = (state: EffectState): state is EndState => EFFECT_STATES[state].length === 0

/** The states that nothing follows. */
export type EndState = 'denied' | 'expired' | 'completed' | 'failed' | 'cancelled'

const isState = (text: string): text is EffectState => Object.hasOwn(EFFECT_STATES, text)

/** The state that an event's name says, or undefined where it is not an effect's. */
export const stateOfEvent = (event: string): EffectState | undefined => {
  const state = event.slice('effect.'.length)
  return event.startsWith('effect.') && isState(state) ? state : undefined
}
