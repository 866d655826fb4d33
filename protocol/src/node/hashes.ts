import { createHmac, hash, randomFillSync } from 'node:crypto'
import type { CryptoPort } from '../crypto-port.js'
import { plain } from './plain.js'

const SHA256_BYTES = 32
const FIRST = Uint8Array.of(1)

export const sha256: CryptoPort['sha256'] = (data) => plain(hash('sha256', data, 'buffer'))

// Takes text as its UTF-8 bytes, without making an array of them.
export const sha256OfText: CryptoPort['sha256OfText'] = (text) => plain(hash('sha256', text, 'buffer'))

export const sha512: CryptoPort['sha512'] = (data) => plain(hash('sha512', data, 'buffer'))

export const hkdfExtract: CryptoPort['hkdfExtract'] = (salt, keyMaterial) =>
  createHmac('sha256', salt).update(keyMaterial).digest()

export const hkdfExpand: CryptoPort['hkdfExpand'] = (key, info, length) => {
  let block: Uint8Array = createHmac('sha256', key).update(info).update(FIRST).digest()
  // Nearly every caller wants one block at most.
  const blocks = [block]
  for (let counter = 2; blocks.length * SHA256_BYTES < length; counter++) {
    block = createHmac('sha256', key).update(block).update(info).update(Uint8Array.of(counter)).digest()
    blocks.push(block)
  }
  return (blocks.length === 1 ? block : Buffer.concat(blocks)).subarray(0, length)
}

export const randomBytes: CryptoPort['randomBytes'] = (length) => randomFillSync(new Uint8Array(length))
