import {
  formatDid,
  generateSigningKey,
  type LedgerClaim,
  type LedgerEntry,
  toBase64url,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { createLedgerBook, type LedgerBook } from '../../src/ledger/ledger-book.js'
import type { Store } from '../../src/store/store.js'
import { fresh, testKeys } from '../boot.js'
import { fakeClock } from '../fake-clock.js'
import { memoryStore } from '../session/memory-store.js'

const didOf = (key = generateSigningKey(), kind: 'agent' | 'tool' = 'agent'): string =>
  formatDid({ namespace: 'self', kind, publicKey: key.publicKey })
const owner = didOf()
const [peerKey, other] = [generateSigningKey(), didOf()]
const peer = didOf(peerKey)
const HOUR = { seconds: 3600, limit_millibits: 20 }

const claimOf = (more: Partial<LedgerClaim> = {}): LedgerClaim => ({
  version: 'parley-ledger-claim-v1',
  owner,
  tag: 'price',
  limit_millibits: 1000,
  head: null,
  nonce: toBase64url(fresh(32)),
  signature: '',
  ...more,
})

/** A book of budgets, at a time that the test sets. */
const bookAt = (store: Store = memoryStore(), keys = testKeys()) => {
  const time = { now: 1_800_000_000 }
  const clock = { ...fakeClock(), nowSeconds: () => time.now }
  const book = createLedgerBook(store, { keys, clock, random: fresh })
  let session = 0
  const charged = async (claim: LedgerClaim, charge: number, others = [peer]): Promise<LedgerEntry> => {
    const id = (++session).toString(16).padStart(64, '0')
    await reserved(store, book, { id, claim, charge })
    const { head, writes } = book.debit(id, claim, others)
    await store.commit(writes)
    book.settle(id, claim)
    return head
  }
  return { store, keys, time, book, charged }
}

const reserved = async (
  store: Store,
  book: LedgerBook,
  { id, claim, charge }: { readonly id: string; readonly claim: LedgerClaim; readonly charge: number },
): Promise<void> => {
  expect(book.check(claim, charge)).toBeUndefined()
  await store.commit(book.headFor(claim).writes)
  book.reserve(id, claim, charge)
}

const refusedWith = (code: string, detail: string | null = null) => ({ refused: code, detail })

describe('a window', () => {
  it('lets through what fits into it, and the same again when its time is over', async () => {
    const { book, charged, time } = bookAt()
    const claim = claimOf({ window: HOUR })
    expect((await charged(claim, 10)).window).toEqual({ ...HOUR, spent_millibits: 10 })
    time.now += 1800
    expect((await charged(claim, 10)).window).toEqual({ ...HOUR, spent_millibits: 20 })
    expect(book.check(claim, 1)).toMatchObject(refusedWith('budget_exhausted'))
    time.now += 1800
    expect((await charged(claim, 10)).window).toEqual({ ...HOUR, spent_millibits: 20 })
    expect(book.check(claim, 1)).toMatchObject(refusedWith('budget_exhausted'))
  })

  it('counts what is reserved, for as long as it is', async () => {
    const { store, book, time } = bookAt()
    const claim = claimOf({ window: HOUR })
    await reserved(store, book, { id: 'open', claim, charge: 15 })
    time.now += 1_000_000
    expect(book.check(claim, 6)).toMatchObject(refusedWith('budget_exhausted'))
    book.release('open', claim)
    expect(book.check(claim, 6)).toBeUndefined()
  })

  it('stands for claims that say nothing of it, and in every entry from then on', async () => {
    const { book, charged } = bookAt()
    expect((await charged(claimOf(), 5)).window).toBeUndefined()
    expect((await charged(claimOf({ window: HOUR }), 10)).window).toEqual({ ...HOUR, spent_millibits: 15 })
    expect((await charged(claimOf(), 5)).window).toEqual({ ...HOUR, spent_millibits: 20 })
    expect(book.check(claimOf(), 1)).toMatchObject(refusedWith('budget_exhausted'))
  })

  it('is not loosened: the claim is refused as ledger_claim_refused', async () => {
    const { book, charged } = bookAt()
    await charged(claimOf({ window: HOUR }), 1)
    for (const window of [
      { ...HOUR, seconds: 3599 },
      { ...HOUR, limit_millibits: 21 },
    ])
      expect(book.check(claimOf({ window }), 1)).toMatchObject(
        refusedWith('ledger_claim_refused', 'window_loosened /ledger/window'),
      )
    for (const window of [
      { ...HOUR, seconds: 3601 },
      { ...HOUR, limit_millibits: 19 },
    ])
      expect(book.check(claimOf({ window }), 1)).toBeUndefined()
  })

  it('is none of another tag', async () => {
    const { book, charged } = bookAt()
    await charged(claimOf({ window: HOUR }), 20)
    expect(book.check(claimOf({ tag: 'another' }), 100)).toBeUndefined()
  })

  it('does not open by a clock that is set back', async () => {
    const { book, charged, time } = bookAt()
    const claim = claimOf({ window: HOUR })
    await charged(claim, 20)
    time.now -= 1_000_000
    expect(book.check(claim, 1)).toMatchObject(refusedWith('budget_exhausted'))
  })

  it('goes on under the next keyset, over the same store and over none', async () => {
    const { store, charged } = bookAt()
    const head = await charged(claimOf({ window: HOUR }), 20)
    const same = bookAt(store)
    expect(same.book.check(claimOf(), 1)).toMatchObject(refusedWith('budget_exhausted'))
    const empty = bookAt()
    expect(empty.book.check(claimOf({ head }), 1)).toMatchObject(refusedWith('budget_exhausted'))
    empty.time.now += 3600
    expect((await empty.charged(claimOf({ head }), 20)).window).toEqual({ ...HOUR, spent_millibits: 20 })
  })

  it('fits its record whatever was charged, under the longest names', async () => {
    const { charged, time } = bookAt()
    const claim = claimOf({
      tag: 't'.repeat(64),
      limit_millibits: 1_000_000_000,
      window: { seconds: 2_678_400, limit_millibits: 1_000_000_000 },
    })
    for (let session = 0; session < 60; session++) {
      time.now += 1 + (session % 7)
      await charged(claim, 9_999_999)
    }
  })
})

describe('what the same counterparties were told', () => {
  it('is counted over all tags, by their keys, in whatever order they sit', async () => {
    const { charged } = bookAt()
    const alias = didOf(peerKey, 'tool')
    expect((await charged(claimOf(), 5)).pair).toEqual({ spent_millibits: 5, limit_millibits: null })
    expect((await charged(claimOf({ tag: 'another' }), 7, [alias])).pair?.spent_millibits).toBe(12)
    expect((await charged(claimOf(), 1, [other])).pair?.spent_millibits).toBe(1)
    expect((await charged(claimOf(), 2, [other, peer])).pair?.spent_millibits).toBe(2)
    expect((await charged(claimOf(), 2, [alias, other])).pair?.spent_millibits).toBe(4)
  })

  it('is advice: over its limit the session is charged all the same, and the entry shows both figures', async () => {
    const { charged } = bookAt()
    const claim = claimOf({ pair_limit_millibits: 6 })
    await charged(claim, 5)
    expect((await charged(claim, 5)).pair).toEqual({ spent_millibits: 10, limit_millibits: 6 })
  })

  it('stands in debits alone', () => {
    const { book } = bookAt()
    expect(Object.keys(book.headFor(claimOf()).head)).not.toContain('pair')
  })
})
