import * as v from 'valibot'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { signObject, verifyObject } from '../signed-object.js'
import { decode } from './decode.js'
import { base64url, digest, lane } from './formats.js'

/** Every way in which a relay says no, with the inner HTTP status. The one table (SPEC §10). */
export const REFUSALS = {
  request_malformed: 400,
  date_out_of_window: 400,
  http_signature_invalid: 401,
  role_refused: 403,
  consent_invalid: 403,
  route_unknown: 404,
  session_unknown: 404,
  request_replayed: 409,
  sequence_replayed: 409,
  state_conflict: 409,
  already_submitted: 409,
  consent_missing: 409,
  contract_mismatch: 409,
  offer_stale: 409,
  ledger_head_unknown: 409,
  budget_exhausted: 409,
  session_expired: 410,
  too_large: 413,
  contract_refused: 422,
  input_refused: 422,
  ledger_claim_refused: 422,
  relay_overloaded: 503,
  keyset_expired: 503,
  relay_failed: 500,
} as const

/** Why a relay said no. */
export type RefusalCode = keyof typeof REFUSALS

const codes = Object.keys(REFUSALS)
const code = v.custom<RefusalCode>(
  (value) => typeof value === 'string' && codes.includes(value),
  'refusal code',
)

const refusal = v.strictObject({
  version: v.literal('parley-refusal-v1'),
  lane,
  keyset_digest: digest,
  encapsulation: digest,
  code,
  detail: v.nullable(v.pipe(v.string(), v.maxLength(256))),
  signature: base64url(64),
})

/** A relay's signed no to one encapsulated request. */
export type Refusal = v.InferOutput<typeof refusal>

/** Signs a refusal with the receipt key. */
export function signRefusal(
  unsigned: Omit<Refusal, 'signature' | 'version'>,
  receiptKey: SigningKey,
): Refusal {
  const body = { version: 'parley-refusal-v1' as const, ...unsigned }
  return { ...body, signature: signObject(label(unsigned.lane, 'refusal'), body, receiptKey) }
}

/**
 * Reads a refusal and verifies the relay's signature on it.
 * @throws ProtocolError object_malformed, signature_invalid
 */
export function verifyRefusal(value: JsonValue, receiptKey: Ed25519PublicKey): Refusal {
  const read = decode(refusal, value, 'refusal')
  const { signature, ...unsigned } = read
  verifyObject(label(read.lane, 'refusal'), unsigned, signature, receiptKey)
  return read
}
