import { gcm } from '@noble/ciphers/aes.js'
import { chacha20poly1305 } from '@noble/ciphers/chacha.js'
import { concatBytes } from '../bytes.js'
import type { AeadId, CryptoPort } from '../crypto-port.js'

const TAG_BYTES = 16
const EMPTY = new Uint8Array(0)

export const aeadSeal: CryptoPort['aeadSeal'] = (aead, key, nonce, aad, plaintext, prefix = EMPTY) =>
  concatBytes(prefix, cipher(aead, key, nonce, aad).encrypt(plaintext))

export const aeadOpen: CryptoPort['aeadOpen'] = (aead, key, nonce, aad, ciphertext) => {
  if (ciphertext.length < TAG_BYTES) return undefined
  try {
    return cipher(aead, key, nonce, aad).decrypt(ciphertext)
  } catch {
    return undefined
  }
}

const cipher = (aead: AeadId, key: Uint8Array, nonce: Uint8Array, aad: Uint8Array) =>
  aead === 0x0001 ? gcm(key, nonce, aad) : chacha20poly1305(key, nonce, aad)
