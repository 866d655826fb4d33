import { sign, verify, type KeyObject } from 'node:crypto'
import type { CryptoPort } from '../crypto-port.js'
import { importPrivate, importPublic, publicBytes } from './okp-keys.js'
import { plain } from './plain.js'

const MAX_IMPORTED_KEYS = 512

const imported = new Map<string, KeyObject>()

export const ed25519FromSeed: CryptoPort['ed25519FromSeed'] = (seed) => {
  const privateKey = importPrivate('Ed25519', seed)
  return {
    publicKey: publicBytes(privateKey),
    sign: (message) => plain(sign(null, message, privateKey)),
  }
}

// OpenSSL refuses S >= L and compares R byte for byte, which is the strict verification of RFC 8032 §5.1.7.
export const ed25519Verify: CryptoPort['ed25519Verify'] = (publicKey, message, signature) =>
  verify(null, message, keyObject(publicKey), signature)

/** By value, not by identity: the array could be written to after it was imported. */
const keyObject = (publicKey: Uint8Array): KeyObject => {
  const name = Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.byteLength).toString('latin1')
  const known = imported.get(name)
  if (known !== undefined) return known
  const fresh = importPublic('Ed25519', publicKey)
  if (imported.size >= MAX_IMPORTED_KEYS) imported.clear()
  imported.set(name, fresh)
  return fresh
}
