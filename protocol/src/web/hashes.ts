import { expand, extract } from '@noble/hashes/hkdf.js'
import { sha256 as nobleSha256, sha512 as nobleSha512 } from '@noble/hashes/sha2.js'
import { utf8 } from '../bytes.js'
import type { CryptoPort } from '../crypto-port.js'

const MAX_DRAW = 65_536

export const sha256: CryptoPort['sha256'] = (data) => nobleSha256(data)

export const sha256OfText: CryptoPort['sha256OfText'] = (text) => nobleSha256(utf8(text))

export const sha512: CryptoPort['sha512'] = (data) => nobleSha512(data)

export const hkdfExtract: CryptoPort['hkdfExtract'] = (salt, keyMaterial) =>
  extract(nobleSha256, keyMaterial, salt)

export const hkdfExpand: CryptoPort['hkdfExpand'] = (key, info, length) =>
  expand(nobleSha256, key, info, length)

export const randomBytes: CryptoPort['randomBytes'] = (length) => {
  const bytes = new Uint8Array(length)
  // getRandomValues refuses more at once.
  for (let at = 0; at < length; at += MAX_DRAW) crypto.getRandomValues(bytes.subarray(at, at + MAX_DRAW))
  return bytes
}
