import { ledgerHead, NO_ARTEFACTS, parseOffered, verifyLedgerEntry, verifyOffer } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CEILING, consentedPair, FLOOR, good, offeredPair, Participant, pairOf } from './participant.js'
import { CONTRACT, testRelay } from './test-relay.js'

describe('a join', () => {
  it('is answered with the signed offer, and each owner is shown its own head only', async () => {
    const relay = testRelay()
    const { buyer, seller } = await offeredPair(relay, CONTRACT)
    const [first, second] = [buyer.offered, seller.offered]
    if (!first?.offer || !second?.offer) throw new Error('no offer')
    expect(second.offer).toEqual(first.offer)
    verifyOffer(first.offer, relay.deps.keys.receiptKey.publicKey)
    ;[first, second].forEach(({ ledger_entry }, index) => {
      if (ledger_entry === null) throw new Error('no entry')
      verifyLedgerEntry(ledger_entry, relay.deps.keys.receiptKey.publicKey)
      expect(ledgerHead(ledger_entry)).toBe(first.offer?.ledger[index]?.head)
      expect(ledger_entry.owner).toBe([buyer, seller][index]?.did)
    })
    expect(first.offer).toMatchObject({ open_join: false, egress_channel: 'none', evaluator: 'cel' })
    expect(first.offer.participants.map(({ did }) => did)).toEqual([buyer.did, seller.did])
  })

  it('with another contract hash is refused as contract_mismatch, and the right one still joins', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    seller.session = buyer.session
    seller.refused(await seller.join({ ...CONTRACT, metadata: null }), 'contract_mismatch')
    await seller.joined(CONTRACT)
  })

  it('by the initiator is refused as role_refused', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    buyer.refused(await buyer.join(CONTRACT), 'role_refused')
    buyer.refused(await buyer.join(CONTRACT, {}, { role: 'responder' }), 'role_refused')
  })

  it('by anybody but the named responder is refused as session_unknown', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    const other = new Participant(relay, 'responder')
    other.session = buyer.session
    other.refused(await other.join(CONTRACT), 'session_unknown')
  })

  it('a second time is refused as state_conflict, and the offer stays as it is', async () => {
    const { buyer, seller } = await offeredPair(testRelay(), CONTRACT)
    seller.refused(await seller.join(CONTRACT), 'state_conflict')
    const before = buyer.offered
    expect(await buyer.fetchedOffer()).toEqual(before)
  })

  it('with a claim that is not its own is refused as ledger_claim_refused', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    seller.session = buyer.session
    const ledger = buyer.claim()
    seller.refused(await seller.join(CONTRACT, { ledger, nonce: ledger.nonce }), 'ledger_claim_refused')
    await seller.joined(CONTRACT)
  })

  it('with the initiator’s own nonce is refused as ledger_claim_refused', async () => {
    const { buyer, seller } = pairOf(testRelay())
    const own = buyer.claim()
    const { nonce } = own
    await buyer.created(CONTRACT, seller.did, { ledger: own, nonce })
    seller.session = buyer.session
    const ledger = seller.claim({ nonce })
    const reply = await seller.join(CONTRACT, { ledger, nonce })
    seller.refused(reply, 'ledger_claim_refused', 'nonce_reflected /nonce')
    await seller.joined(CONTRACT)
  })

  it('whose commit fails is refused as relay_failed, reserves nothing, and can be repeated', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    const charge = 5286
    seller.limit = charge
    await buyer.created(CONTRACT, seller.did)
    seller.session = buyer.session
    relay.disk.failures = 1
    seller.refused(await seller.join(CONTRACT), 'relay_failed')
    buyer.refused(await buyer.consent(buyer.consentTo({ offer_digest: 'a'.repeat(64) })), 'state_conflict')
    const { offer } = await seller.joined(CONTRACT)
    expect(offer?.ledger[1]?.charge_millibits).toBe(charge)
  })
})

describe('an open join', () => {
  it('is for whoever holds the session id, and the offer says so', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, null)
    seller.session = buyer.session
    const { offer } = await seller.joined(CONTRACT)
    expect(offer?.open_join).toBe(true)
    expect(offer?.participants[1]?.did).toBe(seller.did)
  })

  it('lets one of two in, and is unknown to the other', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    await buyer.created(CONTRACT, null)
    const both = [1, 2].map(() => new Participant(relay, 'responder'))
    both.forEach((each) => (each.session = buyer.session))
    const replies = await Promise.all(both.map((each) => each.join(CONTRACT)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404])
    replies.forEach((reply, index) => {
      if (reply.status === 404) both[index]?.refused(reply, 'session_unknown')
      else both[index]?.hold(parseOffered(good(reply)))
    })
    const winner = both.find((each) => each.offered !== null)
    expect((await buyer.fetchedOffer()).offer?.participants[1]?.did).toBe(winner?.did)
  })

  it('by the key of the initiator under another name is refused as role_refused', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, null)
    const did = buyer.did.replace(':agent:', ':service:')
    const ledger = buyer.claim({ owner: did })
    const reply = await buyer.join(
      CONTRACT,
      { ledger, nonce: ledger.nonce },
      { keyId: did, role: 'responder', seq: 0 },
    )
    buyer.refused(reply, 'role_refused')
    seller.session = buyer.session
    await seller.joined(CONTRACT)
  })

  it('shows nothing before it: a stranger may not look at an open session', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, null)
    seller.session = buyer.session
    seller.refused(await seller.send('GET', seller.path('offer')), 'session_unknown')
  })

  it('that fails fixes no number: strangers leave nothing in memory', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, null)
    seller.session = buyer.session
    seller.refused(await seller.join({ ...CONTRACT, metadata: null }, {}, { seq: 9 }), 'contract_mismatch')
    good(await seller.join(CONTRACT, {}, { seq: 3 }))
  })

  it('fixes the numbers of whoever joined', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, null)
    seller.session = buyer.session
    seller.seq = 10
    await seller.joined(CONTRACT)
    seller.refused(
      await seller.send('GET', seller.path('offer'), undefined, { seq: 10 }),
      'sequence_replayed',
    )
  })
})

describe('GET offer', () => {
  it('shows a named responder the contract before it joins, and no offer', async () => {
    const { buyer, seller } = pairOf(testRelay())
    await buyer.created(CONTRACT, seller.did)
    seller.session = buyer.session
    const offered = parseOffered(good(await seller.send('GET', seller.path('offer'))))
    expect(offered).toEqual({
      state: 'CREATED',
      contract: CONTRACT,
      artefacts: NO_ARTEFACTS,
      offer: null,
      ledger_entry: null,
    })
  })

  it('is held until somebody joins, and answered on a tick', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    seller.session = buyer.session
    const poll = buyer.send('GET', buyer.path('offer'), undefined, { prefer: 'wait=30' })
    await relay.clock.advance(730)
    await seller.joined(CONTRACT)
    const held = parseOffered(good(await relay.wait(poll)))
    expect(held.offer).toEqual(seller.offered?.offer)
    expect(relay.clock.nowMs()).toBe(800)
  })

  it('that waited for nothing says so when its time is up', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    await buyer.created(CONTRACT, null)
    const poll = buyer.send('GET', buyer.path('offer'), undefined, { prefer: 'wait=2' })
    expect(parseOffered(good(await relay.wait(poll))).offer).toBeNull()
    expect(relay.clock.nowMs()).toBe(2000)
  })

  it('is answered when the session ends instead', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    await buyer.created(CONTRACT, null)
    const poll = buyer.send('GET', buyer.path('offer'), undefined, { prefer: 'wait=30' })
    await relay.clock.advance(0)
    good(await buyer.cancel())
    const offered = parseOffered(good(await relay.wait(poll)))
    expect(offered).toEqual({
      state: 'ABORTED',
      contract: CONTRACT,
      artefacts: NO_ARTEFACTS,
      offer: null,
      ledger_entry: null,
    })
  })

  it('has one size class, with and without the entry behind a head', async () => {
    const relay = testRelay()
    const { buyer, seller } = pairOf(relay)
    await buyer.created(CONTRACT, seller.did)
    await consentedPair(relay, CONTRACT, { buyer, seller })
    const before = await buyer.send('GET', buyer.path('offer'))
    good(await buyer.input(CEILING))
    good(await seller.input(FLOOR))
    const after = await buyer.send('GET', buyer.path('offer'))
    expect(after.padTo).toBe(before.padTo)
  })
})
