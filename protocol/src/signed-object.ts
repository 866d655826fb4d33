import { fromBase64url, toBase64url } from './base64url.js'
import { labelledDigest } from './digest.js'
import { type Ed25519PublicKey, type SigningKey, verifyEd25519 } from './ed25519.js'
import { ProtocolError } from './errors.js'
import type { JsonObject } from './json-value.js'

const SIGNATURE_BYTES = 64

/**
 * Signs an object: Ed25519 over the 32 bytes SHA-256(label ‖ 0x00 ‖ JCS(unsigned)).
 * @param label one of the label table; it says the type of the object and the lane
 * @param unsigned the object without its signature member
 * @returns 64 bytes as unpadded base64url
 * @throws ProtocolError `json_malformed`, `json_too_deep`
 */
export const signObject = (label: string, unsigned: JsonObject, key: SigningKey): string =>
  toBase64url(key.sign(labelledDigest(label, unsigned)))

/**
 * Verifies what {@link signObject} made; returns if the signature holds.
 * @throws ProtocolError `signature_invalid` on another label, object, key or encoding of the signature.
 */
export const verifyObject = (
  label: string,
  unsigned: JsonObject,
  signature: string,
  publicKey: Ed25519PublicKey,
): void => {
  if (!verifyEd25519(publicKey, labelledDigest(label, unsigned), signatureBytes(signature)))
    throw new ProtocolError('signature_invalid', 'the signature does not hold')
}

const signatureBytes = (signature: string): Uint8Array => {
  try {
    return fromBase64url(signature, SIGNATURE_BYTES)
  } catch {
    throw new ProtocolError('signature_invalid', 'the signature is not 64 bytes of base64url')
  }
}
