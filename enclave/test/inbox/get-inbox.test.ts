import { parseInbox } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { memoryStore } from '../session/memory-store.js'
import {
  consentedPair,
  good,
  offeredPair,
  Participant,
  pairOf,
  submittedPair,
} from '../session/participant.js'
import { CONTRACT, testRelay } from '../session/test-relay.js'
import { askAs, decline, inboxOf, told } from './asker.js'

const LANES = ['software', 'confidential'] as const

describe.each(LANES)('an inbox of the %s lane', (lane) => {
  it('tells each participant what happened, numbered from 1 without a gap', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    await buyer.bundle()
    const [bought, sold] = [await inboxOf(buyer), await inboxOf(seller)]
    expect(told(bought.events)).toEqual(['joined responder', 'offered', 'consented responder', 'ended'])
    expect(told(sold.events)).toEqual(['invited responder', 'offered', 'consented initiator', 'ended'])
    for (const { events, last } of [bought, sold]) {
      expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4])
      expect(last).toBe(4)
      expect(new Set(events.map(({ session_id }) => session_id))).toEqual(new Set([buyer.session]))
    }
  })

  it('tells of an end no sooner than the result may be seen, and of nothing that came after it', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    // The commit stands in the middle of the slot.
    for (let ms = 0; ms < 900; ms += 100) await relay.clock.advance(100)
    expect(relay.audit.events.map(({ event }) => event)).toContain('session.ended')
    const other = new Participant(relay, 'initiator')
    await other.created(CONTRACT, seller.did)
    expect(await inboxOf(seller)).toMatchObject({ last: 3 })
    expect(told((await inboxOf(seller, 2)).events)).toEqual(['consented initiator'])
    await buyer.bundle()
    expect(told((await inboxOf(seller, 3)).events)).toEqual(['ended', 'invited responder'])
  })

  it('answers a long poll when something happens', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = pairOf(relay)
    const polling = askAs(seller, '/v1/inbox/0', { prefer: 'wait=30' })
    await relay.clock.advance(100)
    await buyer.created(CONTRACT, seller.did)
    const { events } = parseInbox(good(await relay.wait(polling)))
    expect(told(events)).toEqual(['invited responder'])
  })

  it('answers a long poll after a number that it does not have at once, and says what it has', async () => {
    const relay = testRelay({ lane })
    const { seller } = await offeredPair(relay, CONTRACT)
    const before = relay.clock.nowMs()
    const polling = askAs(seller, '/v1/inbox/7', { prefer: 'wait=30' })
    expect(parseInbox(good(await relay.wait(polling)))).toEqual({ last: 2, events: [] })
    expect(relay.clock.nowMs() - before).toBeLessThanOrEqual(100)
  })

  it('is answered in one size class, however much there is', async () => {
    const relay = testRelay({ lane, limits: { sessions_per_participant: 40 } })
    const { buyer, seller } = pairOf(relay)
    const empty = await askAs(seller, '/v1/inbox/0')
    for (let n = 0; n < 35; n++) {
      await buyer.created(CONTRACT, seller.did)
      seller.session = buyer.session
      seller.seq = 0
      good(await decline(seller, 'NOT_INTERESTED'))
    }
    const full = await askAs(seller, '/v1/inbox/0')
    expect(parseInbox(good(full))).toMatchObject({ last: 70, events: { length: 64 } })
    expect((await inboxOf(seller, 64)).events).toHaveLength(6)
    expect([empty.padTo, full.padTo]).toEqual([16_384, 16_384])
  })

  it('has nothing of a stranger’s sessions', async () => {
    const relay = testRelay({ lane })
    await consentedPair(relay, CONTRACT)
    expect(await inboxOf(new Participant(relay, 'initiator'))).toEqual({ last: 0, events: [] })
  })

  it('tells who was only invited of the end of the invite, and not of what others did', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    good(await buyer.cancel())
    expect(told((await inboxOf(seller)).events)).toEqual(['invited responder', 'cancelled initiator'])
    expect(told((await inboxOf(buyer)).events)).toEqual(['cancelled initiator'])
  })

  it('tells of an expiry', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = pairOf(relay)
    await buyer.created({ ...CONTRACT, invite_ttl_secs: 5 }, seller.did)
    await relay.clock.advance(5000)
    expect(told((await inboxOf(seller)).events)).toEqual(['invited responder', 'expired'])
    expect(told((await inboxOf(buyer)).events)).toEqual(['expired'])
  })

  it('has no number for what could not be committed', async () => {
    const relay = testRelay({ lane })
    const { buyer, seller } = pairOf(relay)
    relay.disk.failures = 1
    buyer.refused(await buyer.create(CONTRACT, seller.did), 'relay_failed')
    await buyer.created(CONTRACT, seller.did)
    const { events, last } = await inboxOf(seller)
    expect([last, events.map(({ session_id }) => session_id)]).toEqual([1, [buyer.session]])
  })
})

describe('an inbox', () => {
  it('is read again after a restart, and says which sessions the restart took', async () => {
    const disk = memoryStore()
    const before = testRelay({ disk })
    const { buyer, seller } = await submittedPair(before, CONTRACT)
    await buyer.bundle()
    const ended = buyer.session
    const other = new Participant(before, 'initiator')
    await other.created(CONTRACT, seller.did)
    const known = await inboxOf(seller)
    const after = testRelay({ disk })
    const again = new Participant(after, 'responder', seller.key)
    const { events } = await inboxOf(again)
    expect(events.slice(0, -1)).toEqual(known.events)
    expect(events.at(-1)).toMatchObject({ seq: known.last + 1, event: 'lost', session_id: other.session })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
    // Once, and not of what has a receipt.
    expect((await inboxOf(again)).events).toEqual(events)
    expect(events.filter(({ session_id }) => session_id === ended).at(-1)?.event).toBe('ended')
  })

  it.each([
    ['in a session', { session: 'a'.repeat(64) }, 'request_malformed'],
    ['under an offer', { offer: 'a'.repeat(64) }, 'request_malformed'],
    ['in another role', { role: 'responder' as const }, 'role_refused'],
  ] as const)('that is asked for %s is refused', async (_, twist, code) => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    for (const path of ['/v1/inbox/0', '/v1/invites', '/v1/sessions'])
      buyer.refused(await askAs(buyer, path, twist), code)
  })

  it('is the key’s, under whatever DID it asks', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    const keyId = seller.did.replace(':self:', ':other:')
    const reply = await askAs(seller, '/v1/inbox/0', { keyId })
    expect(told(parseInbox(good(reply)).events)).toEqual(['invited responder'])
  })
})
