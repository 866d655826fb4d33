import type { CryptoPort } from '../crypto-port.js'
import { equalBytes } from '../equal-bytes.js'
import { bytesOf } from '../hex.js'

// What WebCrypto wants around a 4096-bit RSAPublicKey: SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
const RSA_4096_SPKI_PREFIX = bytesOf('30820222300d06092a864886f70d01010105000382020f00')

const spkiOf = (publicKey: Uint8Array): Uint8Array<ArrayBuffer> => {
  const spki = new Uint8Array(RSA_4096_SPKI_PREFIX.length + publicKey.length)
  spki.set(RSA_4096_SPKI_PREFIX)
  spki.set(publicKey, RSA_4096_SPKI_PREFIX.length)
  return spki
}

/** The operations by WebCrypto: for a page. */
export const crypto: CryptoPort = {
  sha256: async (data) =>
    new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', new Uint8Array(data))),

  sameBytes: equalBytes,

  rsaPssVerifier: async (publicKey) => {
    const { subtle } = globalThis.crypto
    const algorithm = { name: 'RSA-PSS', hash: 'SHA-384', saltLength: 48 }
    const key = await subtle
      .importKey('spki', spkiOf(publicKey), algorithm, false, ['verify'])
      .catch(() => null)
    if (key === null) return null
    return (data, signature) => subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(data))
  },

  p384Verifier: async (point) => {
    const { subtle } = globalThis.crypto
    const algorithm = { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }
    const key = await subtle
      .importKey('raw', new Uint8Array(point), algorithm, false, ['verify'])
      .catch(() => null)
    if (key === null) return null
    return (data, signature) => subtle.verify(algorithm, key, new Uint8Array(signature), new Uint8Array(data))
  },
}
