import { ABORT_CLASSES, SESSION_STATES } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { endingEvent, SESSION_EVENTS, stateAfter } from '../../src/session/states.js'

// SPEC §11, written down a second time: state, event, state after. Every pair that is not here cannot happen.
const ALLOWED = [
  'CREATED joined CREATED',
  'CREATED consented CREATED',
  'CREATED input_accepted PARTIAL',
  'CREATED cancelled ABORTED',
  'CREATED expired ABORTED',
  'PARTIAL consented PARTIAL',
  'PARTIAL input_accepted PARTIAL',
  'PARTIAL last_input_accepted PROCESSING',
  'PARTIAL cancelled ABORTED',
  'PARTIAL expired ABORTED',
  'PROCESSING completed COMPLETED',
  'PROCESSING failed ABORTED',
]

const PAIRS = SESSION_STATES.flatMap((state) => SESSION_EVENTS.map((event) => [state, event] as const))

describe('the table of states', () => {
  it.each(PAIRS)('%s, %s', (state, event) => {
    const line = ALLOWED.find((each) => each.startsWith(`${state} ${event} `))
    expect(stateAfter(state, event)).toBe(line?.split(' ')[2])
  })

  it('lets nothing happen to a session that has ended', () => {
    for (const event of SESSION_EVENTS)
      for (const state of ['COMPLETED', 'ABORTED'] as const) expect(stateAfter(state, event)).toBeUndefined()
  })

  it('has an event for every outcome', () => {
    expect(endingEvent({ status: 'COMPLETED', abort_class: null })).toBe('completed')
    const events = ABORT_CLASSES.map((abort_class) => endingEvent({ status: 'ABORTED', abort_class }))
    expect(events).toEqual(['expired', 'cancelled', 'failed', 'failed', 'failed', 'failed', 'failed'])
  })
})
