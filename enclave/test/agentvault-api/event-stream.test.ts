import { expect, test } from 'vitest'
import { eventStream } from '../../src/agentvault-api/event-stream.js'
import { createInboxEvents, type InboxEvents } from '../../src/agentvault-api/inbox-events.js'
import { fakeClock } from '../fake-clock.js'

const EVENT = {
  event_type: 'INVITE_CREATED',
  invite_id: 'inv_1',
  from_agent_id: 'alice',
  timestamp: '2027-01-15T08:00:00Z',
} as const

/** The events of one agent, and how many listen to them. */
function spied(): { readonly events: InboxEvents; readonly listening: () => number } {
  const events = createInboxEvents({ has: () => true })
  let listening = 0
  const listen: InboxEvents['listen'] = (...asked) => {
    const stop = events.listen(...asked)
    listening += 1
    return () => {
      listening -= 1
      stop()
    }
  }
  return { events: { ...events, listen }, listening: () => listening }
}

test('a reader that goes is no longer told', async () => {
  const { events, listening } = spied()
  const stream = eventStream(events, fakeClock(), 'bob', undefined)
  expect(listening()).toBe(1)
  await stream.cancel()
  expect(listening()).toBe(0)
  events.tell('bob', EVENT)
})

test('a reader that leaves 64 KiB unread is dropped, with what it was told so far', async () => {
  const { events, listening } = spied()
  const stream = eventStream(events, fakeClock(), 'bob', undefined)
  const told = 1000
  for (let turn = 0; turn < told; turn++) events.tell('bob', EVENT)
  expect(listening()).toBe(0)
  const text = await new Response(stream).text()
  expect(text.length).toBeLessThanOrEqual(65_536)
  expect(text).toContain('id: 1\n')
  expect(text).not.toContain(`id: ${told}\n`)
})

test('an event is a name, a number and one line of JSON', async () => {
  const { events } = spied()
  const stream = eventStream(events, fakeClock(), 'bob', undefined)
  events.tell('bob', EVENT)
  events.endAll()
  expect(await new Response(stream).text()).toBe(
    `: ping\n\nevent: invite_created\nid: 1\ndata: ${JSON.stringify({ event_id: 1, ...EVENT })}\n\n`,
  )
})
