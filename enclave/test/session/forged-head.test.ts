import { type LedgerEntry, MOST_LEDGER_SEQ, toBase64url } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { CONTRACT, testRelay } from './test-relay.js'
import { pairOf } from './participant.js'

// A head of an unknown keyset is its owner's word. One from which no entry can follow would let a session commit that
// nobody can read again.
const forged = (owner: string, lane: 'software' | 'confidential', seq: number): LedgerEntry => ({
  version: 'parley-ledger-v1',
  lane,
  keyset_digest: 'ab'.repeat(32),
  owner,
  tag: 'secret-1',
  seq,
  previous: null,
  kind: 'open',
  session_id: null,
  before_millibits: 0,
  charge_millibits: 0,
  after_millibits: 0,
  limit_millibits: 1_000_000,
  at: 1,
  salt: toBase64url(new Uint8Array(32)),
  signature: toBase64url(new Uint8Array(64)),
})

describe.each(['software', 'confidential'] as const)('in the %s lane a forged foreign head', (lane) => {
  it.each([MOST_LEDGER_SEQ, MOST_LEDGER_SEQ / 2 + 1])('with seq %i creates no session', async (seq) => {
    const { buyer, seller } = pairOf(testRelay({ lane }))
    buyer.head = forged(buyer.did, lane, seq)
    const ledger = buyer.claim()
    const answer = await buyer.create(CONTRACT, seller.did, { ledger, nonce: ledger.nonce })
    buyer.refused(answer, 'ledger_claim_refused', 'head_mismatch /ledger/head')
  })

  it('past every seq is no head at all', async () => {
    const { buyer, seller } = pairOf(testRelay({ lane }))
    buyer.head = forged(buyer.did, lane, Number.MAX_SAFE_INTEGER)
    const ledger = buyer.claim()
    const answer = await buyer.create(CONTRACT, seller.did, { ledger, nonce: ledger.nonce })
    expect(answer.status).toBe(400)
  })
})
