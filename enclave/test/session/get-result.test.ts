import { type JsonValue, parseBundle, parseResult, parseOffered } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CEILING, consentedPair, FLOOR, good, Participant, pairOf, submittedPair } from './participant.js'
import { CONTRACT, LIMITS, type TestRelay, testRelay } from './test-relay.js'
import { TRICKY } from './tricky-contract.js'

const state = (body: JsonValue): string => parseResult(body).state

describe('a result', () => {
  it('is not there before the slot, and is there at it', async () => {
    const relay = testRelay()
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    await relay.clock.advance(LIMITS.release_slot_ms - LIMITS.tick_ms - 1)
    for (const each of [buyer, seller]) {
      const early = each.send('GET', each.path('result'))
      await relay.clock.advance(0)
      const poll = each.send('GET', each.path('offer'))
      expect(parseOffered(good(await poll)).state).toBe('PROCESSING')
      void early
    }
    await relay.clock.advance(1)
    expect(relay.audit.events.map(({ event }) => event)).toContain('session.ended')
    const last = await buyer.result()
    expect(relay.clock.nowMs()).toBe(LIMITS.release_slot_ms)
    expect(parseResult(good(last)).bundle).not.toBeNull()
  })

  it('says PROCESSING and gives no bundle after the commit until the release', async () => {
    const relay = testRelay()
    const { buyer } = await submittedPair(relay, CONTRACT)
    await relay.clock.advance(LIMITS.release_slot_ms / 2)
    expect(relay.audit.events.map(({ event }) => event)).toContain('session.ended')
    expect(parseResult(good(await buyer.result()))).toEqual({ state: 'PROCESSING', bundle: null })
  })

  it('is held as long as asked, 30 seconds at most', async () => {
    const relay = testRelay()
    const { buyer } = await consentedPair(relay, CONTRACT)
    good(await buyer.result({ prefer: 'wait=5' }))
    expect(relay.clock.nowMs()).toBe(5000)
    good(await buyer.result({ prefer: 'wait=3600' }))
    expect(relay.clock.nowMs()).toBe(35_000)
    good(await buyer.result({ prefer: 'respond-async' }))
    expect(relay.clock.nowMs()).toBe(35_100)
  })

  it('can be fetched by each participant without the other, again and again', async () => {
    const relay = testRelay()
    const { seller } = await submittedPair(relay, CONTRACT)
    const first = await seller.bundle()
    await relay.clock.advance(86_400_000 - 10_000)
    expect(await seller.bundle()).toEqual(first)
  })

  it('is answered in the size class of the offer, pending or not', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    const pair = await consentedPair(relay, CONTRACT, { buyer, seller: new Participant(relay, 'responder') })
    const replies = [await buyer.result()]
    good(await buyer.input(CEILING))
    replies.push(await buyer.result())
    good(await pair.seller.input(FLOOR))
    replies.push(await buyer.result(), await buyer.result({ prefer: 'wait=30' }))
    expect(replies.map(({ body }) => state(body))).toEqual(['CREATED', 'PARTIAL', 'PROCESSING', 'COMPLETED'])
    for (const { padTo } of replies) expect(padTo).toBe(buyer.offered?.offer?.release_bytes)
  })

  it('of an evaluation that failed or was refused is charged and has the same shape', async () => {
    const cases = [
      [0, { status: 'COMPLETED', abort_class: null }],
      [2, { status: 'ABORTED', abort_class: 'OUTPUT_REFUSED' }],
      [9, { status: 'ABORTED', abort_class: 'EVALUATION_FAILED' }],
    ] as const
    for (const [n, outcome] of cases) {
      const relay = testRelay()
      const { buyer } = await submittedPair(relay, TRICKY, [{ n }, { n: 0 }])
      const bundle = parseBundle(await buyer.bundle())
      expect(bundle.receipt.outcome).toEqual(outcome)
      expect(bundle.openings.ledger[0]?.after).toMatchObject({ kind: 'debit', charge_millibits: 2585 })
      expect(relay.clock.nowMs()).toBe(LIMITS.release_slot_ms)
      if (n > 0) expect(bundle.openings.output?.output).toBeNull()
    }
  })

  it('says pending until the report is there, and keeps what it said', async () => {
    let give: ((binding: Awaited<ReturnType<TestRelay['deps']['reporter']['bind']>>) => void) | undefined
    const relay = testRelay({ reporter: () => ({ bind: () => new Promise((resolve) => (give = resolve)) }) })
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    expect(parseBundle(await buyer.bundle()).hardware_path).toEqual({ status: 'pending', binding: null })
    const { binding } = relay.deps.bootEvidence
    give?.(binding)
    await relay.clock.advance(0)
    expect(parseBundle(await seller.bundle()).hardware_path).toEqual({ status: 'present', binding })
  })

  it('stays pending where no report can be had, and is asked for a bounded number of times', async () => {
    let asked = 0
    const bind = () => {
      asked++
      return Promise.reject(new Error('no report'))
    }
    const relay = testRelay({ reporter: () => ({ bind }) })
    const { buyer } = await submittedPair(relay, CONTRACT)
    await relay.clock.advance(86_000_000)
    expect(parseBundle(await buyer.bundle()).hardware_path.status).toBe('pending')
    expect(asked).toBe(5)
  })
})

describe('an ended session that memory has let go of', () => {
  it('is answered from its record as before', async () => {
    const relay = testRelay({ limits: { sessions: 2 } })
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    const [first, second] = [await buyer.bundle(), await seller.bundle()]
    for (let other = 0; other < 10; other++) {
      const { buyer: passer } = pairOf(relay)
      await passer.created(CONTRACT, null)
      good(await passer.cancel())
    }
    expect(await buyer.bundle()).toEqual(first)
    expect(await seller.bundle()).toEqual(second)
    buyer.refused(await buyer.input(CEILING), 'already_submitted')
    buyer.refused(await buyer.cancel(), 'state_conflict')
    const stranger = new Participant(relay, 'initiator')
    stranger.session = buyer.session
    stranger.refused(await stranger.result(), 'session_unknown')
  })

  it('is answered by a new process over the same store', async () => {
    const relay = testRelay()
    const { buyer } = await submittedPair(relay, CONTRACT)
    const bundle = await buyer.bundle()
    const later = testRelay({ disk: relay.disk })
    const again = new Participant(later, 'initiator', buyer.key)
    again.session = buyer.session
    again.offered = buyer.offered
    expect(await again.bundle()).toEqual(bundle)
  })
})
