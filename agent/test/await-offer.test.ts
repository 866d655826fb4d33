import {
  generateSigningKey,
  type LedgerEntry,
  type Offer,
  signLedgerEntry,
  signOffer,
} from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { generateIdentity } from '../src/index.js'
import type { Faults } from './double/session.js'
import { seatBoth, startStage } from './double/stage.js'
import { contract } from './double/terms.js'

const forged = (offer: Offer): Partial<Offer> => {
  const { signature: _, ...unsigned } = offer
  return signOffer(unsigned, generateSigningKey())
}

const otherDid = generateIdentity().did

const REFUSED: readonly (readonly [string, Faults])[] = [
  ['of another session', { offer: () => ({ session_id: '00'.repeat(32) }) }],
  ['with another nonce of its own', { offer: seat(0, { nonce: 'A'.repeat(43) }) }],
  ['for another own key', { offer: seat(0, { did: otherDid }) }],
  ['for another responder', { offer: seat(1, { did: otherDid }) }],
  ['for another name', { offer: seat(1, { participant_id: 'stranger' }) }],
  ['under another contract', { offer: () => ({ contract_hash: '00'.repeat(32) }) }],
  ['with another schema', { offer: () => ({ output_schema_hash: '00'.repeat(32) }) }],
  ['with another program', { offer: () => ({ program_hash: '00'.repeat(32) }) }],
  ['with another guardian policy', { offer: () => ({ guardian_policy_hash: '00'.repeat(32) }) }],
  ['with more capacity', { offer: ({ capacity }) => ({ capacity: { ...capacity, outputs: '36' } }) }],
  [
    'with another charge',
    {
      offer: ({ ledger }) => ({
        ledger: ledger.map((row, at) => (at === 0 ? { ...row, charge_millibits: 1 } : row)),
      }),
    },
  ],
  ['that lets data out', { offer: () => ({ egress_channel: 'unbounded' }) }],
  ['with an account of a provider', { offer: () => ({ provider_account: 'somebody' }) }],
  ['of another keyset', { offer: () => ({ keyset_digest: '00'.repeat(32) }) }],
  ['of another release', { offer: () => ({ policy_bundle_hash: '00'.repeat(32) }) }],
  ['in the other lane', { offer: () => ({ lane: 'confidential' }) }],
  ['that outlives the keyset', { offer: () => ({ expires_at: 2_000_000_000 }) }],
  [
    'that is over',
    { offer: ({ created_at }) => ({ created_at: created_at - 100, expires_at: created_at - 1 }) },
  ],
  ['signed by somebody else', { offer: forged }],
  ['whose answer shows another contract', { offeredContract: { ...contract, purpose_code: 'OTHER' } }],
]

function seat(
  index: 0 | 1,
  change: Partial<Offer['participants'][number]>,
): (offer: Offer) => Partial<Offer> {
  return ({ participants }) => ({
    participants: participants.map((party, at) => (at === index ? { ...party, ...change } : party)),
  })
}

describe('an offer', () => {
  test.each(REFUSED)('%s is refused, and gets no consent', async (_, faults) => {
    const stage = await startStage(faults)
    const { bought } = await seatBoth(stage)
    await expect(stage.buyer.offer(bought, 0)).rejects.toMatchObject({ code: 'offer_refused' })
    expect(bought.file.record).toMatchObject({ offer: null, consent: null })
    expect(stage.relay.inner.map(({ path }) => path.split('/').at(-1))).not.toContain('consent')
  })

  test('as expected is kept, and said to be open where nobody was named', async () => {
    const stage = await startStage()
    const { session, invitation } = await stage.buyer.create(await stage.begin(stage.buyer), {
      contract,
      invited: [null],
    })
    await stage.seller.join(await stage.begin(stage.seller), invitation)
    const offer = await stage.buyer.offer(session, 0)
    expect(offer.open_join).toBe(true)
    expect(session.file.record.offer).toEqual(offer)
  })

  test('from whom nobody was named is refused by the responder unless the initiator is the invitation’s', async () => {
    const stage = await startStage()
    const proposal = { contract, invited: [null] }
    const { invitation } = await stage.buyer.create(await stage.begin(stage.buyer), proposal)
    const session = await stage.seller.join(await stage.begin(stage.seller), {
      ...invitation,
      seats: [otherDid, null],
    })
    await expect(stage.seller.offer(session, 0)).rejects.toMatchObject({ code: 'offer_refused' })
  })

  test('that does not come in time is offer_timeout, polled for with GETs of growing number', async () => {
    const stage = await startStage()
    const { session } = await stage.buyer.create(await stage.begin(stage.buyer), {
      contract,
      invited: [null],
    })
    await expect(stage.buyer.offer(session, 600)).rejects.toMatchObject({ code: 'offer_timeout' })
    const polls = stage.relay.inner.slice(1)
    expect(polls.every(({ method }) => method === 'GET')).toBe(true)
    expect(polls.map(({ seq }) => seq - (polls[0]?.seq ?? 0))).toEqual(polls.map((_, index) => index))
    expect(polls.length).toBeGreaterThan(1)
  })
})

describe('the ledger head of an offer', () => {
  test.each<[string, Faults['offeredEntry']]>([
    ['that is not opened to its owner', () => null],
    ['opened by the entry of the other side', ([, responder]) => responder?.head ?? null],
  ])('%s is refused', async (_, offeredEntry) => {
    const stage = await startStage()
    const { bought } = await seatBoth(stage)
    Object.assign(stage.relay.tampering, { offeredEntry })
    await expect(stage.buyer.offer(bought, 0)).rejects.toMatchObject({ code: 'ledger_mismatch' })
    expect(bought.file.record).toMatchObject({ offer: null, consent: null })
  })

  test.each<[string, (head: LedgerEntry) => Partial<LedgerEntry>]>([
    ['of another secret', () => ({ tag: 'other' })],
    ['of another owner', () => ({ owner: otherDid })],
    ['of another keyset', () => ({ keyset_digest: '00'.repeat(32) })],
    ['without room for the charge', () => ({ after_millibits: 19_999, before_millibits: 19_999 })],
  ])('%s is refused', async (_title, change) => {
    const stage = await startStage()
    const { bought } = await seatBoth(stage)
    const own = stage.relay.session.seats.initiator
    if (own === undefined) throw new Error('nobody has joined')
    const { signature: _, ...unsigned } = { ...own.head, ...change(own.head) }
    stage.relay.session.seats.initiator = {
      ...own,
      head: signLedgerEntry(unsigned, stage.relay.keys.receiptKey),
    }
    await expect(stage.buyer.offer(bought, 0)).rejects.toMatchObject({ code: 'ledger_mismatch' })
    expect(bought.file.record.offer).toBeNull()
  })
})
