import * as v from 'valibot'
import type { Ed25519PublicKey, SigningKey } from '../ed25519.js'
import type { JsonValue } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import { signObject, verifyObject } from '../signed-object.js'
import { decode } from './decode.js'
import { base64url, digest, lane } from './formats.js'
import { role } from './role.js'

export const consent = v.strictObject({
  version: v.literal('parley-consent-v1'),
  lane,
  role,
  offer_digest: digest,
  signature: base64url(64),
})

/** A participant's signed yes to one offer, in one role and lane (SPEC §9). */
export type Consent = v.InferOutput<typeof consent>

/**
 * Reads a consent.
 * @throws ProtocolError object_malformed
 */
export function parseConsent(value: JsonValue): Consent {
  return decode(consent, value, 'consent')
}

/** Signs a consent with the participant's key. */
export function signConsent(
  terms: { readonly lane: Lane; readonly role: Consent['role']; readonly offer_digest: string },
  key: SigningKey,
): Consent {
  const unsigned = { version: 'parley-consent-v1' as const, ...terms }
  return { ...unsigned, signature: signObject(label(terms.lane, 'consent'), unsigned, key) }
}

/**
 * Verifies a consent under its participant's key.
 * @throws ProtocolError signature_invalid
 */
export function verifyConsent(read: Consent, key: Ed25519PublicKey): void {
  const { signature, ...unsigned } = read
  verifyObject(label(read.lane, 'consent'), unsigned, signature, key)
}
