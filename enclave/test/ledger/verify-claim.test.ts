import {
  formatDid,
  generateSigningKey,
  type LedgerClaim,
  type LedgerEntry,
  MOST_LEDGER_SEQ,
  signLedgerClaim,
  signLedgerEntry,
  toBase64url,
} from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { verifyClaim } from '../../src/ledger/verify-claim.js'
import { testRelay } from '../session/test-relay.js'

const NONCE = toBase64url(new Uint8Array(32))
const { keys } = testRelay().deps
const owner = generateSigningKey()
const did = formatDid({ namespace: 'self', kind: 'agent', publicKey: owner.publicKey })
const claimant = { did, publicKey: owner.publicKey, nonce: NONCE }

const entry = (more: Partial<LedgerEntry> = {}, key = keys.receiptKey): LedgerEntry =>
  signLedgerEntry(
    {
      version: 'parley-ledger-v1',
      lane: 'software',
      keyset_digest: keys.keysetDigest,
      owner: did,
      tag: 'secret',
      seq: 0,
      previous: null,
      kind: 'open',
      session_id: null,
      before_millibits: 0,
      charge_millibits: 0,
      after_millibits: 0,
      limit_millibits: 100,
      at: 1,
      salt: NONCE,
      ...more,
    },
    key,
  )

const claim = (head: LedgerEntry | null, more: Partial<LedgerClaim> = {}): LedgerClaim =>
  signLedgerClaim(
    'software',
    {
      version: 'parley-ledger-claim-v1',
      owner: did,
      tag: 'secret',
      limit_millibits: 100,
      head,
      nonce: NONCE,
      ...more,
    },
    owner,
  )

describe('a claim', () => {
  it.each<[string, LedgerEntry | null]>([
    ['no head', null],
    ['a head of this keyset', entry()],
    [
      'a head of another keyset, whatever its signature',
      entry({ keyset_digest: 'a'.repeat(64) }, generateSigningKey()),
    ],
    [
      'the latest head that may be carried',
      entry({ keyset_digest: 'a'.repeat(64), seq: MOST_LEDGER_SEQ / 2 }),
    ],
  ])('with %s is accepted', (_, head) => {
    expect(verifyClaim(keys, claim(head), claimant)).toBeUndefined()
  })

  it.each<[string, LedgerEntry, string]>([
    ['was not signed by us', entry({}, generateSigningKey()), 'signature_invalid /ledger/head/signature'],
    [
      'was changed after we signed it',
      { ...entry(), after_millibits: 0, limit_millibits: 99 },
      'signature_invalid /ledger/head/signature',
    ],
    ['is of the other lane', entry({ lane: 'confidential' }), 'head_mismatch /ledger/head'],
    [
      'is of the owner under another name',
      entry({ owner: did.replace(':agent:', ':tool:') }),
      'head_mismatch /ledger/head',
    ],
    ['is of another tag', entry({ tag: 'other' }), 'head_mismatch /ledger/head'],
    [
      'is of another owner',
      entry({
        owner: formatDid({ namespace: 'self', kind: 'agent', publicKey: generateSigningKey().publicKey }),
      }),
      'head_mismatch /ledger/head',
    ],
    [
      'does not add up',
      entry({ keyset_digest: 'a'.repeat(64), charge_millibits: 1 }),
      'head_mismatch /ledger/head',
    ],
    [
      'leaves its chain no room to go on',
      entry({ keyset_digest: 'a'.repeat(64), seq: MOST_LEDGER_SEQ / 2 + 1 }),
      'head_mismatch /ledger/head',
    ],
  ])('with a head that %s is refused as ledger_claim_refused', (_, head, detail) => {
    expect(verifyClaim(keys, claim(head), claimant)).toEqual({ refused: 'ledger_claim_refused', detail })
  })
})
