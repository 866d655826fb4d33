import { describe, expect, it } from 'vitest'
import { memoryStore } from '../session/memory-store.js'
import { consentedPair, Participant, pairOf, submittedPair } from '../session/participant.js'
import { CONTRACT, testRelay } from '../session/test-relay.js'
import { askAs, sessionsOf } from './asker.js'

describe('the sessions of a key', () => {
  it('are those in which it has a seat, in the state that anybody may see', async () => {
    const relay = testRelay()
    const { buyer, seller } = await consentedPair(relay, CONTRACT)
    const expires_at = relay.clock.nowSeconds() + 600
    const row = { session_id: buyer.session, state: 'CREATED', expires_at }
    expect(await sessionsOf(buyer)).toEqual({ sessions: [{ ...row, role: 'initiator' }], left_off: 0 })
    expect(await sessionsOf(seller)).toEqual({ sessions: [{ ...row, role: 'responder' }], left_off: 0 })
  })

  it('don’t hold an invite that waits', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    expect((await sessionsOf(seller)).sessions).toEqual([])
  })

  it('say PROCESSING until the release, and nothing changes with the commit', async () => {
    const relay = testRelay()
    const { buyer } = await submittedPair(relay, CONTRACT)
    const before = await sessionsOf(buyer)
    for (let ms = 0; ms < 900; ms += 100) await relay.clock.advance(100)
    expect(relay.audit.events.map(({ event }) => event)).toContain('session.ended')
    expect(await sessionsOf(buyer)).toEqual(before)
    expect(before.sessions).toMatchObject([{ state: 'PROCESSING', expires_at: null }])
    await buyer.bundle()
    expect((await sessionsOf(buyer)).sessions).toMatchObject([{ state: 'COMPLETED', expires_at: null }])
  })

  it('are answered in one size class however they ended', async () => {
    const relay = testRelay()
    const many = Array.from({ length: 10 }, () => new Participant(relay, 'responder'))
    const { buyer } = pairOf(relay)
    for (const seller of many) await buyer.created(CONTRACT, seller.did)
    const open = await askAs(buyer, '/v1/sessions')
    await relay.clock.advance(600_000)
    const ended = await askAs(buyer, '/v1/sessions')
    expect(ended.padTo).toBe(open.padTo)
  })

  it('that ended are there after a restart too', async () => {
    const disk = memoryStore()
    const { buyer } = await submittedPair(testRelay({ disk }), CONTRACT)
    await buyer.bundle()
    const again = new Participant(testRelay({ disk }), 'initiator', buyer.key)
    expect((await sessionsOf(again)).sessions).toMatchObject([
      { session_id: buyer.session, state: 'COMPLETED' },
    ])
  })
})
