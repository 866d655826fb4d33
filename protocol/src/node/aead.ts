import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { AeadId, CryptoPort } from '../crypto-port.js'
import { plain } from './plain.js'

const TAG_BYTES = 16
const EMPTY = new Uint8Array(0)

export const aeadSeal: CryptoPort['aeadSeal'] = (aead, key, nonce, aad, plaintext, prefix = EMPTY) => {
  const cipher = createCipher(aead, key, nonce)
  if (aad.length > 0) cipher.setAAD(aad)
  const parts = [prefix, cipher.update(plaintext), cipher.final()]
  return plain(Buffer.concat([...parts, cipher.getAuthTag()]))
}

export const aeadOpen: CryptoPort['aeadOpen'] = (aead, key, nonce, aad, ciphertext) => {
  if (ciphertext.length < TAG_BYTES) return undefined
  const decipher = createDecipher(aead, key, nonce)
  if (aad.length > 0) decipher.setAAD(aad)
  const tagAt = ciphertext.length - TAG_BYTES
  decipher.setAuthTag(ciphertext.subarray(tagAt))
  const opened = decipher.update(ciphertext.subarray(0, tagAt))
  try {
    decipher.final()
  } catch {
    return undefined
  }
  return plain(opened)
}

const createCipher = (aead: AeadId, key: Uint8Array, nonce: Uint8Array) =>
  aead === 0x0001
    ? createCipheriv('aes-128-gcm', key, nonce)
    : createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES })

const createDecipher = (aead: AeadId, key: Uint8Array, nonce: Uint8Array) =>
  aead === 0x0001
    ? createDecipheriv('aes-128-gcm', key, nonce, { authTagLength: TAG_BYTES })
    : createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: TAG_BYTES })
