import * as v from 'valibot'
import { toHex } from '../bytes.js'
import { labelledDigest } from '../digest.js'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { signObject, verifyObject } from '../signed-object.js'
import { purposeLeaf } from './binding.js'
import { capacity } from './capacity.js'
import { decode } from './decode.js'
import { base64url, did, digest, hex, integer, lane, name, time } from './formats.js'
import { profileName } from './keyset.js'
import { isModelOutcome, outcome } from './outcome.js'
import { role, rows } from './role.js'
import { terms } from './terms.js'

const relay = v.strictObject({
  keyset_digest: digest,
  epoch: hex(16),
  version: v.pipe(v.string(), v.regex(/^[0-9A-Za-z.+-]{1,64}$/, 'version')),
  image_digest: v.nullable(digest),
  policy_bundle_hash: digest,
  profile: profileName,
  profile_hash: digest,
})

const party = v.strictObject({
  role,
  participant_id: name,
  did: v.nullable(did),
  input_commitment: v.nullable(digest),
  head_before: v.nullable(digest),
  head_after: v.nullable(digest),
  narrowed_commitment: v.nullable(digest),
})

const audit = v.strictObject({
  checkpoint: v.pipe(v.string(), v.maxLength(512)),
  leaf_index: integer(0),
  leaf_hash: digest,
  path: v.pipe(v.array(digest), v.maxLength(48)),
})

const tee = v.strictObject({
  platform: v.literal('sev-snp'),
  attestation_hash: digest,
  receipt_key: base64url(32),
})

const receipt = v.strictObject({
  version: v.literal('parley-receipt-v1'),
  lane,
  assurance_level: v.picklist(['SELF_ASSERTED', 'PROVIDER_ATTESTED', 'TEE_ATTESTED']),
  session_id: hex(32),
  relay,
  ...terms,
  model_asserted: v.nullable(v.pipe(v.string(), v.maxLength(256))),
  model_returned: v.nullable(v.pipe(v.string(), v.maxLength(256))),
  model_file_hash: v.nullable(digest),
  provider_evidence: v.nullable(digest),
  capacity,
  offer_digest: v.nullable(digest),
  participants: rows(party),
  outcome,
  output_commitment: digest,
  advisories: v.pipe(v.array(name), v.maxLength(64)),
  audit,
  transcript_hash: digest,
  tee: v.nullable(tee),
  issued_at: time,
  time_source: v.literal('host'),
  signature: base64url(64),
})

/** What governed a session and what became of it, signed by the relay's receipt key (SPEC §14). */
export type Receipt = v.InferOutput<typeof receipt>

/** A receipt before it is signed: what the hardware path later binds. */
export type ReceiptCore = Omit<Receipt, 'signature'>

export const coherentReceipt = v.pipe(
  receipt,
  v.check((read) => (read.lane === 'confidential') === (read.tee !== null), 'tee by lane'),
  v.check(
    (read) => (read.lane === 'software') === (read.assurance_level === 'SELF_ASSERTED'),
    'level by lane',
  ),
  v.check((read) => read.evaluator !== 'cel' || !isModelOutcome(read.outcome), 'outcome by evaluator'),
  v.check(
    (read) => (read.evaluator === 'local') === (read.model_file_hash !== null),
    'model_file_hash by evaluator',
  ),
  v.check(
    (read) => read.evaluator === 'llm' || read.provider_evidence === null,
    'provider_evidence by evaluator',
  ),
)

/**
 * Reads a receipt. Lane and `tee` must agree, so that no reading of a software receipt shows a TEE.
 * @throws ProtocolError object_malformed
 */
export function parseReceipt(value: JsonValue): Receipt {
  return decode(coherentReceipt, value, 'receipt')
}

/** Lower-case hex digest of a receipt core: the 32 octets that the receipt key signs. */
export function receiptCoreHash(core: ReceiptCore): string {
  return toHex(labelledDigest(label(core.lane, 'receipt'), core))
}

/** The core of a receipt. */
export function receiptCore(read: Receipt): ReceiptCore {
  const { signature: _, ...core } = read
  return core
}

/** Signs a core with the receipt key. */
export function signReceipt(core: ReceiptCore, receiptKey: SigningKey): Receipt {
  return { ...core, signature: signObject(label(core.lane, 'receipt'), core, receiptKey) }
}

/**
 * Verifies the relay's signature on a receipt.
 * @throws ProtocolError signature_invalid
 */
export function verifyReceipt(read: Receipt, receiptKey: Ed25519PublicKey): void {
  verifyObject(label(read.lane, 'receipt'), receiptCore(read), read.signature, receiptKey)
}

/** The leaf by which a later report binds a receipt. */
export function receiptLeaf(core: ReceiptCore): Uint8Array {
  return purposeLeaf(core.lane, 'receipt', {
    session_id: core.session_id,
    receipt_core_hash: receiptCoreHash(core),
  })
}
