import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  INBOX_EVENTS,
  type JsonObject,
  parseDeclineRequest,
  parseInbox,
  parseInboxEvent,
  parseInvites,
  parseSessionList,
  ProtocolError,
} from '../../src/index.js'

const event = (seq: number, more: JsonObject = {}): JsonObject => ({
  seq,
  event: 'joined',
  session_id: 'ab'.repeat(32),
  role: 'responder',
  reason_code: null,
  at: 1_790_000_000,
  ...more,
})

const malformed: unknown = expect.objectContaining({ code: 'object_malformed' })

describe('an inbox', () => {
  it.each(INBOX_EVENTS)('may tell of %s', (name) => {
    expect(parseInboxEvent(event(1, { event: name })).event).toBe(name)
  })

  it.each<[string, JsonObject]>([
    ['an event that nobody knows', event(1, { event: 'processing' })],
    ['a number below 1', event(0)],
    ['another reason', event(1, { reason_code: 'WHY' })],
    ['a state', event(1, { state: 'COMPLETED' })],
    ['a role that nobody has', event(1, { role: 'participant_9' })],
  ])('does not tell of %s', (_, value) => {
    expect(() => parseInboxEvent(value)).toThrow(malformed)
  })

  it.each<[string, number, number[]]>([
    ['a gap', 3, [1, 3]],
    ['a number twice', 2, [1, 1]],
    ['another order', 2, [2, 1]],
    ['more than the last', 1, [1, 2]],
    ['more than 64', 65, Array.from({ length: 65 }, (_, at) => at + 1)],
  ])('with %s is refused', (_, last, numbers) => {
    expect(() => parseInbox({ last, events: numbers.map((seq) => event(seq)) })).toThrow(malformed)
  })

  it('may begin late, where earlier events are gone', () => {
    expect(parseInbox({ last: 9, events: [event(8), event(9)] }).events).toHaveLength(2)
    expect(parseInbox({ last: 9, events: [] }).last).toBe(9)
  })
})

it.each(['BUSY', 'NOT_INTERESTED', 'INVALID', 'OTHER'])('a decline may say %s', (reason_code) => {
  expect(parseDeclineRequest({ reason_code })).toEqual({ reason_code })
})

it('no reader of these throws anything but a ProtocolError', () => {
  const readers = [parseInbox, parseInboxEvent, parseInvites, parseSessionList, parseDeclineRequest]
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      for (const read of readers)
        try {
          read(value as JsonObject)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
    }),
  )
})
