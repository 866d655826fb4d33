import type { InboxEvent } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { SESSION_ID } from '../double/session.js'
import { NOW_SECONDS } from '../double/keys.js'
import { startStage } from '../double/stage.js'

const event = (seq: number): InboxEvent => ({
  seq,
  event: 'consented',
  session_id: SESSION_ID,
  role: 'responder',
  reason_code: null,
  at: NOW_SECONDS,
})

const withEvents = async (first: number, last: number) => {
  const stage = await startStage()
  const { buyer, relay } = stage
  const events = Array.from({ length: last - first + 1 }, (_, at) => event(first + at))
  relay.session.events.set(buyer.identity.did, events)
  return { ...stage, attested: await buyer.attest(relay.url, stage.trust) }
}

describe('an inbox', () => {
  test('is read from where it was left, page by page, without a gap', async () => {
    const { buyer, attested } = await withEvents(1, 70)
    const first = await buyer.inbox(attested, 0, 0)
    expect([first.events.length, first.missed, first.more]).toEqual([64, 0, true])
    const second = await buyer.inbox(attested, 64, 0)
    expect(second.events.map(({ seq }) => seq)).toEqual([65, 66, 67, 68, 69, 70])
    expect(second.more).toBe(false)
    expect(await buyer.inbox(attested, 70, 0)).toEqual({ events: [], missed: 0, more: false })
  })

  test('says how many of its events are gone', async () => {
    const { buyer, attested } = await withEvents(9, 10)
    expect(await buyer.inbox(attested, 3, 0)).toMatchObject({ missed: 5, events: { length: 2 } })
  })

  test('that has no such number is refused as relay_changed, also to whoever waits', async () => {
    const { buyer, attested } = await withEvents(1, 2)
    await expect(buyer.inbox(attested, 3, 60_000)).rejects.toMatchObject({ code: 'relay_changed' })
  })

  test('whose events were read before is refused as answer_malformed', async () => {
    const { buyer, attested, relay } = await withEvents(1, 2)
    relay.tampering.inner = (response) => ({
      ...response,
      content: new TextEncoder().encode(
        `{"events":[{"at":1,"event":"joined","reason_code":null,"role":null,"seq":2,"session_id":"${SESSION_ID}"}],"last":2}`,
      ),
    })
    await expect(buyer.inbox(attested, 2, 0)).rejects.toMatchObject({ code: 'answer_malformed' })
  })

  test('is asked for in no session, and the time being up is no error', async () => {
    const { buyer, attested, relay } = await withEvents(1, 0)
    expect(await buyer.inbox(attested, 0, 5000)).toEqual({ events: [], missed: 0, more: false })
    expect(
      relay.inner.every(({ role, seq, body }) => role === 'initiator' && seq === 0 && body === null),
    ).toBe(true)
  })
})
