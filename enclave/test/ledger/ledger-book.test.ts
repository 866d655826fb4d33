import { ledgerHead, type LedgerEntry, parseBundle, signLedgerEntry } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import {
  CEILING,
  consentedPair,
  FLOOR,
  good,
  offeredPair,
  type Pair,
  Participant,
  pairOf,
  submittedPair,
} from '../session/participant.js'
import { CONTRACT, LIMITS, type TestRelay, testRelay } from '../session/test-relay.js'

const CHARGE = 5286

/** The same two owners in a new session, each carrying the head that it holds. */
const next = (relay: TestRelay, { buyer, seller }: Pair): Pair => {
  const again = (who: Participant): Participant =>
    Object.assign(new Participant(relay, who.role, who.key), {
      tag: who.tag,
      limit: who.limit,
      head: who.head,
    })
  return { buyer: again(buyer), seller: again(seller) }
}

async function completed(relay: TestRelay, pair: Pair): Promise<LedgerEntry> {
  await submittedPair(relay, CONTRACT, undefined, pair)
  for (const each of [pair.buyer, pair.seller]) {
    const { after } = parseBundle(await each.bundle()).openings.ledger[0] ?? {}
    if (!after) throw new Error('no debit')
    each.head = after
  }
  if (pair.buyer.head === null) throw new Error('no head')
  return pair.buyer.head
}

/** Opens a session of this buyer with a seller of its own, up to the join. */
async function attempt(relay: TestRelay, buyer: Participant): Promise<Participant> {
  const seller = new Participant(relay, 'responder')
  await buyer.created(CONTRACT, seller.did)
  seller.session = buyer.session
  return seller
}

describe('a chain', () => {
  it('starts with an entry that charges nothing, and each session adds one', async () => {
    const relay = testRelay()
    let pair = pairOf(relay)
    await offeredPair(relay, CONTRACT, pair)
    expect(pair.buyer.head).toMatchObject({
      kind: 'open',
      seq: 0,
      previous: null,
      session_id: null,
      after_millibits: 0,
    })
    for (let session = 1; session <= 3; session++) {
      const before = pair.buyer.head
      pair = next(relay, pair)
      const head = await completed(relay, pair)
      expect(head).toMatchObject({
        kind: 'debit',
        seq: session,
        session_id: pair.buyer.session,
        after_millibits: session * CHARGE,
      })
      expect(head.previous).toBe(before === null ? null : ledgerHead(before))
    }
  })

  it('is another for another tag', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    const other = Object.assign(new Participant(relay, 'initiator', buyer.key), { tag: 'another' })
    await offeredPair(relay, CONTRACT, { buyer: other, seller: new Participant(relay, 'responder') })
    expect(other.head?.salt).not.toBe(buyer.head?.salt)
  })

  it('is one for a key: under another name of it the claim is refused as ledger_claim_refused', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    const renamed = new Participant(relay, 'initiator', buyer.key)
    const keyId = renamed.did.replace(':agent:', ':tool:')
    const ledger = renamed.claim({ owner: keyId })
    const body = { contract: CONTRACT, invited: [null], nonce: ledger.nonce, ledger }
    const reply = await renamed.send('POST', '/v1/sessions', body, { keyId })
    renamed.refused(reply, 'ledger_claim_refused', 'owner_mismatch /ledger/owner')
  })

  it('goes on for an owner that holds no head or an older one: only the relay must not know less', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    await offeredPair(relay, CONTRACT, pair)
    const opened = pair.buyer.head
    await completed(relay, next(relay, pair))
    for (const head of [null, opened]) {
      const { buyer } = next(relay, pair)
      buyer.head = head
      const seller = await attempt(relay, buyer)
      await seller.joined(CONTRACT)
      await buyer.fetchedOffer()
      expect(buyer.head).toMatchObject({ seq: 1, after_millibits: CHARGE })
    }
  })

  it('is not started twice by sessions at once', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    const sellers: Participant[] = []
    for (let session = 0; session < 5; session++) sellers.push(await attempt(relay, buyer))
    const offers = await Promise.all(sellers.map((seller) => seller.joined(CONTRACT)))
    expect(new Set(offers.map(({ offer }) => offer?.ledger[0]?.head)).size).toBe(1)
  })
})

describe('the head rule', () => {
  it('a head that this keyset signed and this store has not is refused as ledger_head_unknown: a rollback', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    await offeredPair(relay, CONTRACT, pair)
    const rolledBack = new Map(relay.disk.records)
    await completed(relay, next(relay, pair))
    const { buyer, seller } = next(relay, pair)
    buyer.head = await completed(relay, next(relay, pair))
    relay.disk.records.clear()
    for (const [key, value] of rolledBack) relay.disk.records.set(key, value)
    buyer.refused(await buyer.create(CONTRACT, seller.did), 'ledger_head_unknown', null)
    buyer.head = null
    seller.session = (await buyer.created(CONTRACT, seller.did)).session_id
    await seller.joined(CONTRACT)
  })

  it('holds for whoever joins too', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    await completed(relay, pair)
    relay.disk.records.clear()
    const { buyer, seller } = next(relay, pair)
    buyer.head = null
    seller.session = (await buyer.created(CONTRACT, seller.did)).session_id
    seller.refused(await seller.join(CONTRACT), 'ledger_head_unknown')
  })

  it('a head of another keyset beside a chain that does not contain it is refused as ledger_head_unknown', async () => {
    const relay = testRelay()
    const elsewhere = testRelay()
    const pair = pairOf(relay)
    await completed(relay, pair)
    const { buyer } = next(relay, pair)
    const foreign = Object.assign(new Participant(elsewhere, 'initiator', buyer.key), { tag: buyer.tag })
    await offeredPair(elsewhere, CONTRACT, {
      buyer: foreign,
      seller: new Participant(elsewhere, 'responder'),
    })
    buyer.head = foreign.head
    buyer.refused(await buyer.create(CONTRACT, null), 'ledger_head_unknown')
  })

  it('a head of another keyset starts a chain that goes on from it, again and again', async () => {
    const before = testRelay()
    const old = pairOf(before)
    const head = await completed(before, old)
    const relay = testRelay()
    for (let session = 0; session < 2; session++) {
      const { buyer } = next(relay, old)
      const seller = await attempt(relay, buyer)
      await seller.joined(CONTRACT)
      await buyer.fetchedOffer()
      expect(buyer.head).toMatchObject({
        kind: 'open',
        seq: head.seq + 1,
        previous: ledgerHead(head),
        before_millibits: CHARGE,
        after_millibits: CHARGE,
      })
    }
  })

  it('a store that outlived its keyset goes on from what was spent, even where the owner says nothing', async () => {
    const before = testRelay()
    const old = pairOf(before)
    const head = await completed(before, old)
    const relay = testRelay({ disk: before.disk })
    for (const carried of [null, head]) {
      const { buyer } = next(relay, old)
      buyer.head = carried
      const seller = await attempt(relay, buyer)
      await seller.joined(CONTRACT)
      await buyer.fetchedOffer()
      expect(buyer.head).toMatchObject({
        previous: ledgerHead(head),
        seq: head.seq + 1,
        after_millibits: CHARGE,
      })
    }
  })
})

describe('a limit', () => {
  it('that would rise is refused as ledger_claim_refused', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    await completed(relay, pair)
    const { buyer } = next(relay, pair)
    buyer.limit += 1
    buyer.refused(
      await buyer.create(CONTRACT, null),
      'ledger_claim_refused',
      'limit_raised /ledger/limit_millibits',
    )
  })

  it('that falls stands in the next debit, and cannot rise again', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    await completed(relay, pair)
    const lower = next(relay, pair)
    lower.buyer.limit = 20_000
    expect(await completed(relay, lower)).toMatchObject({ limit_millibits: 20_000 })
    const { buyer } = next(relay, lower)
    buyer.limit = 20_001
    buyer.refused(await buyer.create(CONTRACT, null), 'ledger_claim_refused')
  })

  it('that does not hold one charge is refused as budget_exhausted before there is a session', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    buyer.limit = CHARGE - 1
    buyer.refused(await buyer.create(CONTRACT, null), 'budget_exhausted', null)
    buyer.limit = CHARGE
    await buyer.created(CONTRACT, null)
  })

  it('is not passed by sessions at once: what one reserves, no other can', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    buyer.limit = 2 * CHARGE
    const sellers: Participant[] = []
    for (let session = 0; session < 4; session++) sellers.push(await attempt(relay, buyer))
    const replies = await Promise.all(sellers.map((seller) => seller.join(CONTRACT)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 409, 409])
    replies.slice(2).forEach((reply, index) => sellers[index + 2]?.refused(reply, 'budget_exhausted', null))
    buyer.refused(await buyer.create(CONTRACT, null), 'budget_exhausted')
  })

  it('has room again when a session ends without an evaluation', async () => {
    const relay = testRelay()
    const { buyer } = pairOf(relay)
    buyer.limit = CHARGE
    const [first, second] = [await attempt(relay, buyer), await attempt(relay, buyer)]
    await first.joined(CONTRACT)
    second.refused(await second.join(CONTRACT), 'budget_exhausted')
    good(await first.cancel())
    await second.joined(CONTRACT)
  })

  it('has no room again after an evaluation, whatever came of it', async () => {
    const relay = testRelay()
    const pair = pairOf(relay)
    pair.buyer.limit = CHARGE
    await completed(relay, pair)
    const { buyer } = next(relay, pair)
    buyer.refused(await buyer.create(CONTRACT, null), 'budget_exhausted')
  })

  it('counts an imported head', async () => {
    const before = testRelay()
    const old = pairOf(before)
    await completed(before, old)
    const relay = testRelay()
    const { buyer } = next(relay, old)
    buyer.limit = 2 * CHARGE - 1
    buyer.refused(await buyer.create(CONTRACT, null), 'budget_exhausted')
  })

  it('is held by what two sessions spend one after the other, from one offer each', async () => {
    const relay = testRelay()
    const first = pairOf(relay)
    await consentedPair(relay, CONTRACT, first)
    const second = next(relay, first)
    await consentedPair(relay, CONTRACT, second)
    expect(second.buyer.offered?.offer?.ledger[0]?.head).toBe(first.buyer.offered?.offer?.ledger[0]?.head)
    for (const { buyer, seller } of [first, second]) {
      good(await buyer.input(CEILING))
      good(await seller.input(FLOOR))
    }
    await relay.clock.advance(LIMITS.release_slot_ms)
    const [one, two] = [parseBundle(await first.buyer.bundle()), parseBundle(await second.buyer.bundle())]
    expect([one, two].map(({ openings }) => openings.ledger[0]?.after?.after_millibits)).toEqual([
      CHARGE,
      2 * CHARGE,
    ])
    expect(two.receipt.participants[0]?.head_before).toBe(one.receipt.participants[0]?.head_after)
  })
})

describe('an entry', () => {
  it('of the relay cannot be made by an owner', async () => {
    const relay = testRelay()
    const { buyer } = await offeredPair(relay, CONTRACT)
    const head = buyer.head
    if (head === null) throw new Error('no head')
    const { signature, ...unsigned } = head
    buyer.head = signLedgerEntry({ ...unsigned, after_millibits: 0 }, buyer.key)
    expect(signature).not.toBe(buyer.head.signature)
    buyer.refused(
      await buyer.create(CONTRACT, null),
      'ledger_claim_refused',
      'signature_invalid /ledger/head/signature',
    )
  })
})
