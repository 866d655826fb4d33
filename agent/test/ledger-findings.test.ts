import {
  generateSigningKey,
  type LedgerEntry,
  ledgerHead,
  signLedgerEntry,
  toBase64url,
} from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { generateIdentity } from '../src/index.js'
import { ledgerFindings } from '../src/ledger-findings.js'

const relay = { digest: '11'.repeat(32), key: generateSigningKey() }
const successor = { digest: '22'.repeat(32), key: generateSigningKey() }
const owner = generateIdentity().did
const keys = new Map([relay, successor].map(({ digest, key }) => [digest, toBase64url(key.publicKey)]))

/** The entry after another one, made as a relay makes it, but for what is changed. */
const after = (before: LedgerEntry | null, change: Partial<LedgerEntry> = {}, by = relay): LedgerEntry => {
  const spent = before?.after_millibits ?? 0
  const opens = before?.keyset_digest !== by.digest
  return signLedgerEntry(
    {
      version: 'parley-ledger-v1',
      lane: 'software',
      keyset_digest: by.digest,
      owner,
      tag: 'price',
      seq: before === null ? 0 : before.seq + 1,
      previous: before === null ? null : ledgerHead(before),
      kind: opens ? 'open' : 'debit',
      session_id: opens ? null : '33'.repeat(32),
      before_millibits: spent,
      charge_millibits: opens ? 0 : 10,
      after_millibits: opens ? spent : spent + 10,
      limit_millibits: before?.limit_millibits ?? 1000,
      at: 1_800_000_000,
      salt: 'A'.repeat(43),
      ...change,
    },
    by.key,
  )
}

const opened = after(null)
const first = after(opened)
const second = after(first)
const moved = after(second, {}, successor)
const third = after(moved, {}, successor)
const chain = [opened, first, second, moved, third]
const codes = (entries: readonly LedgerEntry[], known = keys) =>
  ledgerFindings(entries, known).map(({ code }) => code)

describe('entries of one chain', () => {
  test('are found in order, over keysets, in whatever order and however often they are held', () => {
    expect(codes(chain)).toEqual([])
    expect(codes([...chain].reverse())).toEqual([])
    expect(codes([second, second, opened])).toEqual([])
  })

  test('are found in order where some of them are not held', () => {
    expect(codes([opened, third])).toEqual([])
    expect(codes([second])).toEqual([])
  })

  test('may lower their limit', () => {
    expect(codes([opened, first, after(first, { limit_millibits: 500 })])).toEqual([])
  })
})

describe('entries that are not of one chain', () => {
  test('in one place of one keyset are a fork, with both as its proof', () => {
    const other = after(opened, { session_id: '44'.repeat(32) })
    expect(ledgerFindings([opened, first, other], keys)).toEqual([{ code: 'fork', entries: [first, other] }])
  })

  test('in one place of two keysets are parted', () => {
    const rolledBack = after(first, {}, successor)
    expect(codes([opened, first, second, rolledBack])).toEqual(['parted'])
  })

  test('after one and the same entry are a fork, whatever their number', () => {
    const other = after(opened, { seq: 7 })
    expect(codes([first, other])).toEqual(['fork', 'link_broken'])
  })

  test.each<[string, Partial<LedgerEntry>]>([
    ['another head before it', { previous: '55'.repeat(32) }],
    ['less spent than before', { before_millibits: 5, after_millibits: 15 }],
    ['a higher limit', { limit_millibits: 1001 }],
    ['a second start', { kind: 'open', session_id: null, charge_millibits: 0, after_millibits: 10 }],
  ])('have %s: link_broken', (_, change) => {
    expect(codes([opened, first, after(first, change)])).toEqual(['link_broken'])
  })

  test.each<[string, Partial<LedgerEntry>]>([
    ['less spent', { seq: 9, before_millibits: 9, after_millibits: 19, previous: '55'.repeat(32) }],
    ['a higher limit', { seq: 9, limit_millibits: 1001, previous: '55'.repeat(32) }],
  ])('have %s after a gap: link_broken', (_, change) => {
    expect(codes([first, after(first, change)])).toEqual(['link_broken'])
  })
})

describe('a window', () => {
  const window = { seconds: 60, limit_millibits: 100, spent_millibits: 10 }
  const windowed = after(first, { window })

  test('may be narrowed along a chain', () => {
    expect(codes([windowed, after(windowed, { window: { ...window, seconds: 61 } })])).toEqual([])
  })

  test.each<[string, Partial<LedgerEntry>]>([
    ['loosened', { window: { ...window, limit_millibits: 101 } }],
    ['dropped', {}],
  ])('that is %s is link_broken', (_, change) => {
    expect(codes([windowed, after(windowed, change)])).toEqual(['link_broken'])
  })
})

describe('an entry', () => {
  test.each<[string, Partial<LedgerEntry>]>([
    ['that adds more than it charges', { after_millibits: 11 }],
    ['over its limit', { limit_millibits: 9 }],
    ['that charges nobody', { session_id: null }],
    ['that charges out of nothing', { previous: null }],
  ])('%s is arithmetic_wrong', (_, change) => {
    expect(codes([after(opened, change)])).toEqual(['arithmetic_wrong'])
  })

  test('that starts a chain with a charge is arithmetic_wrong', () => {
    expect(codes([after(null, { charge_millibits: 1, after_millibits: 1 })])).toEqual(['arithmetic_wrong'])
  })

  test('that its keyset did not sign is signature_invalid, and contradicts no other', () => {
    expect(codes([opened, first, { ...after(opened), after_millibits: 10, at: 7 }])).toEqual([
      'signature_invalid',
    ])
    expect(codes([after(opened, { keyset_digest: successor.digest })])).toEqual(['signature_invalid'])
  })

  test('of a keyset that nothing tells of is key_unknown', () => {
    expect(codes([first], new Map())).toEqual(['key_unknown'])
  })
})
