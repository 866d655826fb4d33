import {
  type Bundle,
  parseAccepted,
  parseBundle,
  parseOffered,
  transcriptHash,
  verifyReceipt,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CEILING, consentedPair, FLOOR, good, offeredPair, pairOf, submittedPair } from './participant.js'
import { CONTRACT, LIMITS, type TestRelay, testRelay } from './test-relay.js'

const WHOLE = LIMITS.session_ttl_seconds * 1000

function expectReceipt(relay: TestRelay, raw: object, abort_class: string): Bundle {
  const bundle = parseBundle(raw as Parameters<typeof parseBundle>[0])
  verifyReceipt(bundle.receipt, relay.deps.keys.receiptKey.publicKey)
  expect(bundle.receipt.transcript_hash).toBe(transcriptHash(bundle.transcript))
  expect(bundle.receipt.outcome).toEqual({ status: 'ABORTED', abort_class })
  expect(bundle.openings.output?.output).toBeNull()
  return bundle
}

/** Both owners can still spend their whole limit: nothing is charged, and nothing is held back. */
async function expectFree(relay: TestRelay): Promise<void> {
  const tips = [...relay.disk.records.keys()].filter((key) => key.startsWith('ledger-known/'))
  expect(tips).toHaveLength(2)
  await Promise.resolve()
}

describe('a session that expires', () => {
  it('before anybody joined has a receipt that says so', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    await relay.clock.advance(WHOLE)
    const { receipt, offer, consents, openings } = expectReceipt(relay, await buyer.bundle(), 'EXPIRED')
    expect([offer, ...consents]).toEqual([null, null, null])
    expect(openings.ledger).toEqual([])
    expect(receipt.participants.map(({ did }) => did)).toEqual([buyer.did, null])
    expect(receipt.offer_digest).toBeNull()
    seller.session = buyer.session
    seller.refused(await seller.join(CONTRACT), 'session_expired')
  })

  it('after one input commits to it, charges nobody and frees both budgets', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    pair.buyer.limit = pair.seller.limit = 5286
    const { buyer, seller } = await consentedPair(relay, CONTRACT, pair)
    good(await buyer.input(CEILING))
    await relay.clock.advance(WHOLE)
    seller.refused(await seller.input(FLOOR), 'session_expired')
    seller.refused(await seller.consent(), 'session_expired')
    seller.refused(await seller.cancel(), 'session_expired')
    const { receipt, transcript, openings } = expectReceipt(relay, await seller.bundle(), 'EXPIRED')
    expect(receipt.participants[0]?.input_commitment).not.toBeNull()
    expect(receipt.participants[1]?.input_commitment).toBeNull()
    expect(transcript.participants[0]?.encapsulation).not.toBeNull()
    expect(receipt.participants.map(({ head_before, head_after }) => [head_before, head_after])).toEqual([
      [null, null],
      [null, null],
    ])
    expect(openings.ledger).toEqual([])
    await expectFree(relay)
    await offeredPair(relay, CONTRACT, { buyer, seller })
  })

  it('is over at the second that the offer names, before any timer has come round', async () => {
    const relay = testRelay()
    await relay.clock.advance(900)
    const { buyer } = await consentedPair(relay, CONTRACT)
    await relay.clock.advance(WHOLE - 901)
    good(await buyer.send('GET', buyer.path('offer')))
    await relay.clock.advance(1)
    expect(relay.clock.nowSeconds()).toBe(buyer.offered?.offer?.expires_at)
    expect(relay.audit.events.at(-1)?.event).toBe('session.consented')
    buyer.refused(await buyer.input(CEILING), 'session_expired', null)
  })

  it('is ended without being asked', async () => {
    const relay = testRelay()
    await offeredPair(relay, CONTRACT)
    await relay.clock.advance(WHOLE)
    expect(relay.audit.events.at(-1)).toMatchObject({ event: 'session.ended' })
    expect(relay.logged).toEqual([{ event: 'session_ended', tick: WHOLE / LIMITS.tick_ms }])
  })

  it('is tried again on the next tick while the store fails', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    relay.disk.failures = 3
    await relay.clock.advance(WHOLE + 10 * LIMITS.tick_ms)
    expect(relay.disk.failures).toBe(0)
    expectReceipt(relay, await buyer.bundle(), 'EXPIRED')
    expect(relay.audit.events.filter(({ event }) => event === 'session.ended')).toHaveLength(1)
  })

  it('does not expire once both inputs are there', async () => {
    const relay = testRelay({ limits: { release_slot_ms: 2 * WHOLE } })
    const { buyer } = await submittedPair(relay, CONTRACT)
    await relay.clock.advance(3 * WHOLE)
    expect(parseBundle(await buyer.bundle()).receipt.outcome.status).toBe('COMPLETED')
  })

  it('ends after invite_ttl_secs where nobody has joined, and not where somebody has', async () => {
    const relay = testRelay()
    const contract = { ...CONTRACT, invite_ttl_secs: 60 }
    const { buyer } = pairOf(relay)
    await buyer.created(contract, null)
    const joined = await offeredPair(relay, contract)
    await relay.clock.advance(60_000)
    expectReceipt(relay, await buyer.bundle(), 'EXPIRED')
    good(await joined.buyer.consent())
  })

  it('one by one, each at its own time', async () => {
    const relay = testRelay()
    const pairs = []
    for (const session_ttl_secs of [300, 100, 200]) {
      const { buyer } = pairOf(relay)
      await buyer.created({ ...CONTRACT, session_ttl_secs }, null)
      pairs.push(buyer)
    }
    const ended = (): number => relay.audit.events.filter(({ event }) => event === 'session.ended').length
    for (const expected of [1, 2, 3]) {
      await relay.clock.advance(99_000)
      expect(ended()).toBe(expected - 1)
      await relay.clock.advance(1000)
      expect(ended()).toBe(expected)
    }
  })
})

describe('a session that is cancelled', () => {
  it.each(['buyer', 'seller'] as const)(
    'by its %s before both inputs has a receipt for both',
    async (who) => {
      const relay = testRelay()
      const pair = await consentedPair(relay, CONTRACT)
      good(await pair.buyer.input(CEILING))
      const answered = parseAccepted(good(await pair[who].cancel()))
      expect(answered.state).toBe('ABORTED')
      expect(answered.input_commitment === null).toBe(who === 'seller')
      const [first, second] = [await pair.buyer.bundle(), await pair.seller.bundle()]
      expect(expectReceipt(relay, first, 'CANCELLED').receipt).toEqual(
        expectReceipt(relay, second, 'CANCELLED').receipt,
      )
      await expectFree(relay)
      pair.seller.refused(await pair.seller.input(FLOOR), 'state_conflict')
      pair.seller.refused(await pair.seller.consent(), 'state_conflict')
      pair.buyer.refused(await pair.buyer.cancel(), 'state_conflict')
      expect(parseOffered(good(await pair.buyer.send('GET', pair.buyer.path('offer')))).state).toBe('ABORTED')
    },
  )

  it('by a responder that declines to join', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    seller.session = buyer.session
    good(await seller.cancel())
    const { receipt } = expectReceipt(relay, await seller.bundle(), 'CANCELLED')
    expect(receipt.participants[1]?.did).toBeNull()
  })

  it('with a body that is not empty is refused as request_malformed', async () => {
    const { buyer } = await consentedPair(testRelay(), CONTRACT)
    buyer.refused(await buyer.send('POST', buyer.path('cancel'), { why: 'canary' }), 'request_malformed')
    good(await buyer.input(CEILING))
  })

  it('once both inputs are there is refused as state_conflict, before and after its end', async () => {
    const { buyer } = await submittedPair(testRelay(), CONTRACT)
    buyer.refused(await buyer.cancel(), 'state_conflict')
    await buyer.bundle()
    buyer.refused(await buyer.cancel(), 'state_conflict')
  })

  it('while the store fails is refused as relay_failed and goes on', async () => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    relay.disk.failures = 1
    buyer.refused(await buyer.cancel(), 'relay_failed')
    good(await buyer.input(CEILING))
    good(await seller.input(FLOOR))
    expect(parseBundle(await buyer.bundle()).receipt.outcome.status).toBe('COMPLETED')
  })

  it('racing with the second input ends in one of two ways, never in both', async () => {
    for (const cancelFirst of [true, false]) {
      const relay = testRelay()
      const { buyer, seller } = await consentedPair(relay, CONTRACT)
      good(await buyer.input(CEILING))
      const race = cancelFirst ? [buyer.cancel(), seller.input(FLOOR)] : [seller.input(FLOOR), buyer.cancel()]
      const replies = await Promise.all(race)
      expect(replies.map(({ status }) => status)).toEqual([200, 409])
      const { outcome } = parseBundle(await buyer.bundle()).receipt
      expect(outcome.abort_class).toBe(cancelFirst ? 'CANCELLED' : null)
    }
  })
})
