import { parseAccepted } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CEILING, consentedPair, FLOOR, good, offeredPair, pairOf, submittedPair } from './participant.js'
import { CONTRACT, testRelay } from './test-relay.js'

describe('a consent', () => {
  it('before there is an offer is refused as state_conflict', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    buyer.refused(await buyer.consent(buyer.consentTo({ offer_digest: 'a'.repeat(64) })), 'state_conflict')
  })

  it('to another offer is refused as offer_stale', async () => {
    const { seller } = await offeredPair(testRelay(), CONTRACT)
    seller.refused(await seller.consent(seller.consentTo({ offer_digest: 'a'.repeat(64) })), 'offer_stale')
    good(await seller.consent())
  })

  it('in the other role, for the other lane or by another key is refused as consent_invalid', async () => {
    const { buyer, seller } = await offeredPair(testRelay(), CONTRACT)
    const others = [
      seller.consentTo({ role: 'initiator' }),
      seller.consentTo({ lane: 'confidential' }),
      seller.consentTo({}, buyer.key),
      { ...seller.consentTo(), signature: buyer.consentTo().signature },
    ]
    for (const consent of others) seller.refused(await seller.consent(consent), 'consent_invalid', null)
    good(await seller.consent())
  })

  it("of the counterparty does not count as one's own", async () => {
    const { buyer, seller } = await offeredPair(testRelay(), CONTRACT)
    buyer.refused(await buyer.consent(seller.consentTo()), 'consent_invalid')
  })

  it('given again is accepted and written once, also at the same time and after an input', async () => {
    const relay = testRelay()
    const { buyer, seller } = await offeredPair(relay, CONTRACT)
    const replies = await Promise.all([buyer.consent(), buyer.consent(), buyer.consent()])
    for (const reply of replies)
      expect(parseAccepted(good(reply))).toEqual({ state: 'CREATED', input_commitment: null })
    good(await seller.consent())
    const { input_commitment } = parseAccepted(good(await buyer.input(CEILING)))
    expect(parseAccepted(good(await buyer.consent()))).toEqual({ state: 'PARTIAL', input_commitment })
    expect(relay.audit.events.filter(({ event }) => event === 'session.consented')).toHaveLength(2)
  })

  it('is refused as state_conflict once both inputs are there', async () => {
    const { buyer } = await submittedPair(testRelay(), CONTRACT)
    buyer.refused(await buyer.consent(), 'state_conflict')
  })

  it('whose audit entry fails is refused as relay_failed and has not been given', async () => {
    const relay = testRelay()
    const { buyer, seller } = await offeredPair(relay, CONTRACT)
    good(await seller.consent())
    relay.disk.failures = 1
    buyer.refused(await buyer.consent(), 'relay_failed')
    buyer.refused(await buyer.input(CEILING), 'consent_missing')
    good(await buyer.consent())
    good(await seller.input(FLOOR))
  })
})

describe('both consents', () => {
  it('are needed before any input: consent_missing', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    buyer.refused(await buyer.input(CEILING), 'consent_missing')
    const relay = testRelay()
    const pair = await offeredPair(relay, CONTRACT)
    pair.buyer.refused(await pair.buyer.input(CEILING), 'consent_missing')
    good(await pair.buyer.consent())
    pair.buyer.refused(await pair.buyer.input(CEILING), 'consent_missing')
    pair.seller.refused(await pair.seller.input(FLOOR), 'consent_missing')
    good(await pair.seller.consent())
    good(await pair.buyer.input(CEILING))
    expect(relay.audit.events.at(-1)?.event).toBe('input.accepted')
  })

  it('stand in the offer that both were shown', async () => {
    const { buyer, seller } = await consentedPair(testRelay(), CONTRACT)
    expect(buyer.offer).toBe(seller.offer)
  })
})
