import { diffieHellman, type KeyObject } from 'node:crypto'
import type { CryptoPort } from '../crypto-port.js'
import { generateX25519, importPrivate, importPublic, publicBytes } from './okp-keys.js'

export const x25519FromBytes: CryptoPort['x25519FromBytes'] = (bytes) => {
  const privateKey = importPrivate('X25519', bytes)
  return {
    publicKey: publicBytes(privateKey),
    agree: (publicKey) => agree(privateKey, publicKey),
  }
}

export const x25519Generate: CryptoPort['x25519Generate'] = () => {
  const { privateKey, publicKey } = generateX25519()
  return { publicKey, agree: (peer) => agree(privateKey, peer) }
}

const agree = (privateKey: KeyObject, publicKey: Uint8Array): Uint8Array | undefined => {
  try {
    return diffieHellman({ privateKey, publicKey: importPublic('X25519', publicKey) })
  } catch {
    // OpenSSL fails the derivation when the shared secret is all zero (RFC 7748 §6.1).
    return undefined
  }
}
