import { constants, createPublicKey, hash, KeyObject, verify, webcrypto } from 'node:crypto'
import type { CryptoPort } from '../crypto-port.js'

const PSS = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 48 }

const importRsa = (publicKey: Uint8Array): KeyObject | null => {
  try {
    return createPublicKey({ key: Buffer.from(publicKey), format: 'der', type: 'pkcs1' })
  } catch {
    return null
  }
}

// A raw point is the cheapest way in: half of what a SubjectPublicKeyInfo costs, an eighth of a JWK.
const importPoint = async (point: Uint8Array): Promise<KeyObject | null> => {
  const curve = { name: 'ECDSA', namedCurve: 'P-384' }
  // Extractable: Node deprecates a key object of any other, and a public key hides nothing.
  const key = await webcrypto.subtle.importKey('raw', point, curve, true, ['verify']).catch(() => null)
  return key === null ? null : KeyObject.from(key)
}

/** The operations by node:crypto. */
export const crypto: CryptoPort = {
  sha256: (data) => Promise.resolve(hash('sha256', data, 'buffer')),

  sameBytes: (left, right) => Buffer.compare(left, right) === 0,

  rsaPssVerifier: (publicKey) => {
    const key = importRsa(publicKey)
    if (key === null) return Promise.resolve(null)
    const options = { key, ...PSS }
    return Promise.resolve((data, signature) => Promise.resolve(verify('sha384', data, options, signature)))
  },

  p384Verifier: async (point) => {
    const key = await importPoint(point)
    if (key === null) return null
    const options = { key, dsaEncoding: 'ieee-p1363' } as const
    return (data, signature) => Promise.resolve(verify('sha384', data, options, signature))
  },
}
