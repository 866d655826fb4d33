import { x25519 } from '@noble/curves/ed25519.js'
import type { CryptoPort } from '../crypto-port.js'
import { randomBytes } from './hashes.js'

export const x25519FromBytes: CryptoPort['x25519FromBytes'] = (bytes) => {
  const privateKey = Uint8Array.from(bytes)
  return {
    publicKey: x25519.getPublicKey(privateKey),
    agree: (publicKey) => {
      try {
        return x25519.getSharedSecret(privateKey, publicKey)
      } catch {
        // noble refuses an all-zero shared secret (RFC 7748 §6.1).
        return undefined
      }
    },
  }
}

export const x25519Generate: CryptoPort['x25519Generate'] = () => x25519FromBytes(randomBytes(32))
