import type { AbortClass, Outcome, SessionState } from '@parley/protocol'

/** What may happen to a session. */
export const SESSION_EVENTS = [
  'joined',
  'consented',
  'input_accepted',
  'last_input_accepted',
  'completed',
  'failed',
  'cancelled',
  'expired',
] as const

/** What may happen to a session. */
export type SessionEvent = (typeof SESSION_EVENTS)[number]

// The one table (SPEC §11). What does not stand here cannot happen.
const TABLE: Readonly<Record<SessionState, Readonly<Partial<Record<SessionEvent, SessionState>>>>> = {
  CREATED: {
    joined: 'CREATED',
    consented: 'CREATED',
    input_accepted: 'PARTIAL',
    cancelled: 'ABORTED',
    expired: 'ABORTED',
  },
  // A consent here can only be one that is given again.
  PARTIAL: {
    consented: 'PARTIAL',
    input_accepted: 'PARTIAL',
    last_input_accepted: 'PROCESSING',
    cancelled: 'ABORTED',
    expired: 'ABORTED',
  },
  PROCESSING: { completed: 'COMPLETED', failed: 'ABORTED' },
  COMPLETED: {},
  ABORTED: {},
}

/** The state after an event, or undefined where it cannot happen. */
export function stateAfter(state: SessionState, event: SessionEvent): SessionState | undefined {
  return TABLE[state][event]
}

const ENDS: Readonly<Record<AbortClass, SessionEvent>> = {
  EXPIRED: 'expired',
  CANCELLED: 'cancelled',
  EVALUATION_FAILED: 'failed',
  OUTPUT_REFUSED: 'failed',
  MODEL_REFUSED: 'failed',
  MODEL_TRUNCATED: 'failed',
  PROVIDER_FAILED: 'failed',
}

/** The event by which a session ends with this outcome. */
export function endingEvent({ abort_class }: Outcome): SessionEvent {
  return abort_class === null ? 'completed' : ENDS[abort_class]
}
