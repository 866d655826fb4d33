import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  type webcrypto,
} from 'node:crypto'

// RFC 8410 §7: PrivateKeyInfo up to the 32 private bytes; the octet before 0x04 is the last of the OID.
const PKCS8_PREFIX = {
  X25519: Buffer.from('302e020100300506032b656e04220420', 'hex'),
  Ed25519: Buffer.from('302e020100300506032b657004220420', 'hex'),
}

/** The two curves of RFC 8410 in use. */
export type OkpCurve = keyof typeof PKCS8_PREFIX

/** Imports 32 private bytes. */
export const importPrivate = (crv: OkpCurve, privateKey: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX[crv], privateKey]), format: 'der', type: 'pkcs8' })

// One of the combinations that Node documents and @types/node leaves out.
declare module 'node:crypto' {
  function generateKeyPairSync(
    type: 'x25519',
    options: { publicKeyEncoding: { format: 'jwk' } },
  ): { readonly publicKey: webcrypto.JsonWebKey; readonly privateKey: KeyObject }
}

/**
 * A fresh X25519 key, at a ninth of what PKCS #8 costs on Node 20. Its public half leaves the generator as JWK: exporting
 * it from a key object that was generated deadlocks Node 20 for ever, now and then.
 */
export const generateX25519 = (): { readonly privateKey: KeyObject; readonly publicKey: Uint8Array } => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519', { publicKeyEncoding: { format: 'jwk' } })
  return { privateKey, publicKey: pointOf(publicKey) }
}

/** Imports 32 public bytes, as JWK: 6 µs, where SPKI takes 80. */
export const importPublic = (crv: OkpCurve, publicKey: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv, x: Buffer.from(publicKey).toString('base64url') },
    format: 'jwk',
  })

/** The 32 public bytes of an imported private key. */
export const publicBytes = (privateKey: KeyObject): Uint8Array =>
  pointOf(createPublicKey(privateKey).export({ format: 'jwk' }))

const pointOf = ({ x }: webcrypto.JsonWebKey): Uint8Array =>
  Uint8Array.from(Buffer.from(x ?? '', 'base64url'))
