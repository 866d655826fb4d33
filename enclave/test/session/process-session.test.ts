import { type HttpRequest, parseBundle } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { RelayError } from '../../src/relay-error.js'
import type { InnerContext } from '../../src/session/app.js'
import { createServices } from '../../src/session/services.js'
import { createSessionsApp } from '../../src/session/sessions-app.js'
import { fromWebResponse } from '../../src/session/web-response.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { FLOOR, good, offeredPair, submittedPair } from './participant.js'
import { CONTRACT, LIMITS, testRelay } from './test-relay.js'

const SLOT = LIMITS.release_slot_ms
const TTL = 10

describe('a commit that fails', () => {
  it('releases nothing, says relay_failed, and is made again in the next slot with the same output', async () => {
    const relay = testRelay()
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    relay.disk.failures = 1
    await relay.clock.advance(SLOT / 2)
    buyer.refused(await buyer.result({ prefer: 'wait=30' }), 'relay_failed', null)
    expect(relay.clock.nowMs()).toBeLessThan(SLOT)
    await relay.clock.advance(SLOT)
    const { receipt, openings } = parseBundle(await buyer.bundle())
    expect(openings.output?.output).toMatchObject({ overlap: 'MODERATE' })
    expect(relay.clock.nowMs()).toBe(2 * SLOT)
    expect(parseBundle(await seller.bundle()).receipt).toEqual(receipt)
    expect(openings.ledger[0]?.after?.seq).toBe(1)
  })

  it('until the end of the session leaves no output, no debit and no reservation', async () => {
    const relay = testRelay()
    const brief = { ...CONTRACT, session_ttl_secs: TTL }
    const { buyer, seller } = await submittedPair(relay, brief)
    buyer.limit = seller.limit = 5286
    relay.disk.failures = Infinity
    await relay.clock.advance(TTL * 1000 + 2 * SLOT)
    buyer.refused(await buyer.result(), 'session_unknown')
    relay.disk.failures = 0
    const { buyer: again } = await offeredPair(relay, CONTRACT, { buyer, seller })
    expect(again.offered?.ledger_entry?.after_millibits).toBe(0)
  })
})

const text = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => {
    if (each instanceof Uint8Array) return new TextDecoder().decode(each)
    return typeof each === 'bigint' ? String(each) : each
  })

describe('the inputs', () => {
  it('are held until the evaluation and by nothing after it, while the commit is still to come', async () => {
    const relay = testRelay()
    const services = { ...createServices(relay.deps), wakeAt: () => undefined, closed: () => false }
    const app = createSessionsApp(services)
    const sessions = {
      handle: async (request: HttpRequest, context: InnerContext) =>
        fromWebResponse(
          await app.fetch(new Request(`https://relay${request.path}`, { method: request.method }), {
            request,
            context,
          }),
        ),
      close: () => Promise.resolve(),
    }
    await submittedPair({ ...relay, sessions }, CONTRACT, [{ ceiling: 987_654_321, currency: 'EUR' }, FLOOR])
    const held = (): boolean => text(services.table.live()).includes('987654321')
    expect(held()).toBe(true)
    await relay.clock.advance(2 * LIMITS.tick_ms)
    expect(services.table.live()).toHaveLength(1)
    expect(held()).toBe(false)
  })
})

/** What the host sees of a session whose evaluation takes so long: when the relay wrote, and when the result came. */
async function evaluatedIn(ms: number): Promise<unknown> {
  const clock: { sleep: (ms: number) => Promise<void> } = { sleep: () => Promise.resolve() }
  const evaluator: Evaluator = {
    ...inProcessEvaluator,
    evaluate: async (job) => {
      await clock.sleep(ms)
      return inProcessEvaluator.evaluate(job)
    },
  }
  const relay = testRelay({ evaluator })
  clock.sleep = (ms) => relay.clock.sleepUntil(relay.clock.nowMs() + ms)
  const { buyer } = await submittedPair(relay, CONTRACT)
  const result = await relay.wait(buyer.send('GET', buyer.path('result'), undefined, { prefer: 'wait=30' }))
  good(result)
  return { writes: relay.disk.seen, answered: relay.clock.nowMs() }
}

describe('when a session commits and is released', () => {
  const TICK = LIMITS.tick_ms

  it('is the same for every evaluation that ends before the middle of its slot', async () => {
    const expected = await evaluatedIn(0)
    for (const ms of [1, TICK, SLOT / 2 - TICK]) expect(await evaluatedIn(ms)).toEqual(expected)
  })

  it('is the same, a slot later, for every evaluation that ends in the slot after', async () => {
    const expected = await evaluatedIn(SLOT / 2)
    expect(expected).toMatchObject({ answered: 2 * SLOT })
    for (const ms of [SLOT / 2 + 1, SLOT, SLOT + SLOT / 2 - TICK])
      expect(await evaluatedIn(ms)).toEqual(expected)
  })
})

describe('an evaluator that fails', () => {
  it('leaves no output, no debit and no reservation', async () => {
    const evaluate = () => Promise.reject(new RelayError('evaluator_failed', 'the thread has ended'))
    const relay = testRelay({ evaluator: { ...inProcessEvaluator, evaluate } })
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    await relay.clock.advance(2 * SLOT)
    buyer.refused(await buyer.result(), 'session_unknown')
    buyer.limit = seller.limit = 5286
    const { buyer: again } = await offeredPair(relay, CONTRACT, { buyer, seller })
    expect(again.offered?.ledger_entry?.after_millibits ?? 0).toBe(0)
  })
})

describe('a relay that is closing', () => {
  it('commits nothing more, and ends what waits', async () => {
    const relay = testRelay()
    const { buyer } = await submittedPair(relay, CONTRACT)
    const poll = buyer.send('GET', buyer.path('result'), undefined, { prefer: 'wait=30' })
    await relay.clock.advance(0)
    await relay.sessions.close()
    await relay.clock.advance(LIMITS.tick_ms)
    good(await poll)
    await relay.clock.advance(10 * SLOT)
    expect(relay.audit.events.at(-1)?.event).toBe('input.accepted')
  })
})
