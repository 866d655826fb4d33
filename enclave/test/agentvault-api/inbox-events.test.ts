import { expect, test } from 'vitest'
import { createInboxEvents, type InboxEvent } from '../../src/agentvault-api/inbox-events.js'

const EVENT = {
  event_type: 'INVITE_CREATED',
  invite_id: 'inv_1',
  from_agent_id: 'alice',
  timestamp: '2027-01-15T08:00:00Z',
} as const

const listener = () => {
  const heard: number[] = []
  const state = { ended: false }
  return {
    heard,
    state,
    tell: ({ event_id }: InboxEvent) => void heard.push(event_id),
    end: () => void (state.ended = true),
  }
}

test('the last 64 events are kept, and their numbers go on', () => {
  const events = createInboxEvents({ has: () => true })
  for (let turn = 0; turn < 70; turn++) events.tell('bob', EVENT)
  const bob = listener()
  events.listen('bob', 0, bob)
  expect([events.latest('bob'), bob.heard.length, bob.heard[0], bob.heard.at(-1)]).toEqual([70, 64, 7, 70])
})

test('who names no event hears only what comes', () => {
  const events = createInboxEvents({ has: () => true })
  events.tell('bob', EVENT)
  const bob = listener()
  const stop = events.listen('bob', undefined, bob)
  events.tell('bob', EVENT)
  stop()
  events.tell('bob', EVENT)
  expect(bob.heard).toEqual([2])
})

test('of an agent without an inbox nothing is kept', () => {
  const events = createInboxEvents({ has: (id) => id === 'bob' })
  events.tell('stranger', EVENT)
  expect([events.latest('stranger'), events.latest('bob')]).toEqual([0, 0])
})

test('the end reaches every listener of every agent', () => {
  const events = createInboxEvents({ has: () => true })
  const all = ['bob', 'bob', 'carol'].map((agent) => {
    const one = listener()
    events.listen(agent, undefined, one)
    return one
  })
  events.endAll()
  expect(all.map(({ state }) => state.ended)).toEqual([true, true, true])
})
