import {
  concatBytes,
  type Ed25519PublicKey,
  equalBytes,
  fromBase64,
  fromBase64url,
  fromHex,
  parseEd25519PublicKey,
  ProtocolError,
} from '@parley/protocol'

// SubjectPublicKeyInfo of an Ed25519 key up to its 32 octets (RFC 8410 §4 and §10.1).
const SPKI_PREFIX = fromHex('302a300506032b6570032100')
const PEM = /^-----BEGIN PUBLIC KEY-----\s([A-Za-z0-9+/=\s]{1,128})-----END PUBLIC KEY-----$/

const HEX = /^[0-9a-f]{64}$/

/**
 * The receipt key that a caller pins: 43 characters of base64url as in a keyset, 64 of hex as AgentVault spells it, or
 * a PEM public key.
 * @param text the text of a key file; white space around it is ignored
 * @throws ProtocolError `encoding_malformed` where it is none of these, `key_refused` where it is no usable point
 * @see RFC 8410 §4 (SubjectPublicKeyInfo)
 */
export const parseReceiptKey = (text: string): Ed25519PublicKey => {
  const trimmed = text.trim()
  const [, body] = PEM.exec(trimmed) ?? []
  return parseEd25519PublicKey(body === undefined ? fromText(trimmed) : fromSpki(body))
}

const fromText = (text: string): Uint8Array => (HEX.test(text) ? fromHex(text, 32) : fromBase64url(text, 32))

const fromSpki = (body: string): Uint8Array => {
  const der = fromBase64(body.replace(/\s/g, ''))
  if (der.length !== SPKI_PREFIX.length + 32 || !equalBytes(der.subarray(0, SPKI_PREFIX.length), SPKI_PREFIX))
    throw new ProtocolError('encoding_malformed', 'PEM does not hold an Ed25519 public key')
  return der.slice(SPKI_PREFIX.length)
}

/** The SubjectPublicKeyInfo of a key as a keyset spells it, 44 bytes of DER. */
export const receiptKeySpki = (key: string): Uint8Array => concatBytes(SPKI_PREFIX, fromBase64url(key, 32))
