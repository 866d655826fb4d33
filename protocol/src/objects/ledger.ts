import * as v from 'valibot'
import { toHex } from '../bytes.js'
import { labelledDigest } from '../digest.js'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { signObject, verifyObject } from '../signed-object.js'
import { decode } from './decode.js'
import { base64url, did, digest, hex, integer, lane, name, time } from './formats.js'

const millibits = integer(0, 1_000_000_000)

/** The highest `seq` of a ledger entry. No chain of sessions comes near it. */
export const MOST_LEDGER_SEQ = 2 ** 48

/** The longest window of a claim: 31 days. */
const MOST_WINDOW_SECONDS = 2_678_400

const window = { seconds: integer(1, MOST_WINDOW_SECONDS), limit_millibits: millibits }

export const ledgerEntry = v.strictObject({
  version: v.literal('parley-ledger-v1'),
  lane,
  keyset_digest: digest,
  owner: did,
  tag: name,
  seq: integer(0, MOST_LEDGER_SEQ),
  previous: v.nullable(digest),
  kind: v.picklist(['open', 'debit']),
  session_id: v.nullable(hex(32)),
  before_millibits: millibits,
  charge_millibits: millibits,
  after_millibits: millibits,
  limit_millibits: millibits,
  // Only where the owner set a window: what was charged within its seconds, this entry included.
  window: v.exactOptional(v.strictObject({ ...window, spent_millibits: millibits })),
  // Only in a debit: what exactly these counterparties have been told, whatever the tag.
  pair: v.exactOptional(
    v.strictObject({ spent_millibits: millibits, limit_millibits: v.nullable(millibits) }),
  ),
  at: time,
  // Figures are guessable: the salt makes the digest of an entry a hiding commitment to them.
  salt: base64url(32),
  signature: base64url(64),
})

/** One step of an owner's budget for one secret, signed by a relay (SPEC §11). Shown to its owner only. */
export type LedgerEntry = v.InferOutput<typeof ledgerEntry>

export const ledgerClaim = v.strictObject({
  version: v.literal('parley-ledger-claim-v1'),
  owner: did,
  tag: name,
  limit_millibits: millibits,
  window: v.exactOptional(v.strictObject(window)),
  pair_limit_millibits: v.exactOptional(millibits),
  head: v.nullable(ledgerEntry),
  nonce: base64url(32),
  signature: base64url(64),
})

/**
 * An owner's signed word on its budget: the lifetime limit and the last head that it holds, or null for none; where it
 * wants them, a limit for any so many seconds, and one that is only told to it, for what the same counterparties learn.
 */
export type LedgerClaim = v.InferOutput<typeof ledgerClaim>

type Unsigned<T> = Omit<T, 'signature'>

/** Lower-case hex digest of an entry: what offers and receipts show in its place. */
export function ledgerHead(entry: LedgerEntry): string {
  const { signature: _, ...unsigned } = entry
  return toHex(labelledDigest(label(entry.lane, 'ledger-entry'), unsigned))
}

/** Signs an entry with the relay's receipt key. */
export function signLedgerEntry(unsigned: Unsigned<LedgerEntry>, key: SigningKey): LedgerEntry {
  return { ...unsigned, signature: signObject(label(unsigned.lane, 'ledger-entry'), unsigned, key) }
}

/**
 * Verifies an entry under a receipt key.
 * @throws ProtocolError object_malformed, signature_invalid
 */
export function verifyLedgerEntry(value: JsonValue, key: Ed25519PublicKey): LedgerEntry {
  const entry = decode(ledgerEntry, value, 'ledger entry')
  verifyEntrySignature(entry, key)
  return entry
}

/**
 * Verifies the signature of an entry that has been read, as part of an offer's answer or of a bundle.
 * @throws ProtocolError signature_invalid
 */
export function verifyEntrySignature(entry: LedgerEntry, key: Ed25519PublicKey): void {
  const { signature, ...unsigned } = entry
  verifyObject(label(entry.lane, 'ledger-entry'), unsigned, signature, key)
}

/** Signs a claim with the owner's key, for one lane. */
export function signLedgerClaim(
  lane: LedgerEntry['lane'],
  unsigned: Unsigned<LedgerClaim>,
  key: SigningKey,
): LedgerClaim {
  return { ...unsigned, signature: signObject(label(lane, 'ledger-claim'), unsigned, key) }
}

/**
 * Verifies a claim under its owner's key.
 * @throws ProtocolError signature_invalid
 */
export function verifyLedgerClaim(
  lane: LedgerEntry['lane'],
  claim: LedgerClaim,
  key: Ed25519PublicKey,
): void {
  const { signature, ...unsigned } = claim
  verifyObject(label(lane, 'ledger-claim'), unsigned, signature, key)
}
