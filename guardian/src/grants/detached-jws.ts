import {
  concatBytes,
  canonicalize,
  type Ed25519PublicKey,
  fromBase64url,
  type JsonObject,
  ProtocolError,
  type SigningKey,
  toBase64url,
  utf8,
  verifyEd25519,
} from '@parley/protocol'

// The base64url of {"alg":"EdDSA"}. Another spelling of the header would be a second signature of the same words.
const HEADER = 'eyJhbGciOiJFZERTQSJ9'
const SIGNATURE_BYTES = 64

const signingInput = (unsigned: JsonObject): Uint8Array =>
  concatBytes(utf8(`${HEADER}.`), utf8(toBase64url(utf8(canonicalize(unsigned)))))

/**
 * Signs an object: a JWS whose payload is the object's JCS and is left out of the text.
 * @param unsigned the object without its `jws`
 * @see RFC 7515 Appendix F; RFC 8037 §3.1
 */
export const signDetached = (unsigned: JsonObject, key: SigningKey): string =>
  `${HEADER}..${toBase64url(key.sign(signingInput(unsigned)))}`

/**
 * Verifies what {@link signDetached} made; returns if it holds.
 * @throws ProtocolError `signature_invalid`, also on another header or an encoding that is not the one.
 */
export const verifyDetached = (unsigned: JsonObject, jws: string, key: Ed25519PublicKey): void => {
  if (!verifyEd25519(key, signingInput(unsigned), signatureOf(jws)))
    throw new ProtocolError('signature_invalid', 'the signature does not hold')
}

const signatureOf = (jws: string): Uint8Array => {
  const start = `${HEADER}..`
  try {
    if (jws.startsWith(start)) return fromBase64url(jws.slice(start.length), SIGNATURE_BYTES)
  } catch {
    // It is refused below.
  }
  throw new ProtocolError('signature_invalid', 'not a detached EdDSA signature')
}
