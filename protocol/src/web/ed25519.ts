import { ed25519 } from '@noble/curves/ed25519.js'
import { sha512 } from '@noble/hashes/sha2.js'
import type { CryptoPort } from '../crypto-port.js'

const { Point } = ed25519

export const ed25519FromSeed: CryptoPort['ed25519FromSeed'] = (bytes) => {
  const seed = Uint8Array.from(bytes)
  return {
    publicKey: ed25519.getPublicKey(seed),
    sign: (message) => ed25519.sign(message, seed),
  }
}

/**
 * The equation without the cofactor, as OpenSSL checks it. noble's own verify multiplies by the cofactor,
 * so a crafted signature could be valid in the page and invalid in Node.
 */
export const ed25519Verify: CryptoPort['ed25519Verify'] = (publicKey, message, signature) => {
  const s = littleEndian(signature.subarray(32))
  if (signature.length !== 64 || s >= Point.Fn.ORDER) return false
  const hash = sha512.create().update(signature.subarray(0, 32)).update(publicKey).update(message)
  const k = Point.Fn.create(littleEndian(hash.digest()))
  try {
    const r = Point.BASE.multiplyUnsafe(s).subtract(Point.fromBytes(publicKey).multiplyUnsafe(k))
    return r.toBytes().every((octet, i) => octet === signature[i])
  } catch {
    return false
  }
}

const littleEndian = (bytes: Uint8Array): bigint =>
  bytes.reduceRight((number, octet) => (number << 8n) | BigInt(octet), 0n)
