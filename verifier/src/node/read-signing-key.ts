import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { AttestationError } from '@parley/attestation'
import { type PublicJwk, type Signer, thumbprint } from '../results/index.js'
import { readBounded } from './read-file.js'

const MAX_BYTES = 1 << 14

/**
 * The key in a PKCS#8 PEM file, as `openssl genpkey` writes it: Ed25519, or P-256 for readers that have no Ed25519.
 * @throws AttestationError `argument_invalid`; the message holds nothing of the key
 * @see RFC 8410 §7, RFC 5915
 */
export const readSigningKey = async (path: string): Promise<Signer> => {
  const key = parse(path, await readBounded(path, MAX_BYTES))
  const jwk = publicJwk(key)
  if (jwk === null) throw unusable(path, 'neither Ed25519 nor P-256')
  const keyId = thumbprint(jwk)
  return jwk.kty === 'OKP'
    ? { alg: 'EdDSA', keyId, sign: (message) => Promise.resolve(sign(null, message, key)) }
    : { alg: 'ES256', keyId, sign: (message) => Promise.resolve(signEs256(message, key)) }
}

const parse = (path: string, bytes: Uint8Array): KeyObject => {
  try {
    return createPrivateKey({ key: Buffer.from(bytes), format: 'pem' })
  } catch {
    throw unusable(path, 'no private key in PEM, or one behind a passphrase')
  }
}

const publicJwk = (key: KeyObject): PublicJwk | null => {
  const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' })
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined) return { crv, kty, x }
  return kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined ? { crv, kty, x, y } : null
}

// JWS and COSE both want r ‖ s, not DER (RFC 7518 §3.4, RFC 9053 §2.1).
const signEs256 = (message: Uint8Array, key: KeyObject): Uint8Array =>
  sign('sha256', message, { key, dsaEncoding: 'ieee-p1363' })

const unusable = (path: string, why: string): AttestationError =>
  new AttestationError('argument_invalid', `${path}: ${why}`)
