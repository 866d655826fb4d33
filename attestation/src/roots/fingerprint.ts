import { crypto } from '#crypto'
import { toHex } from '../hex.js'

// By the array itself: a certificate's bytes are its own copy, which nothing writes to.
const known = new WeakMap<Uint8Array, string>()

/** SHA-256, in hex, of a part of a parsed certificate. */
export const fingerprint = async (part: Uint8Array): Promise<string> => {
  const digest = known.get(part) ?? toHex(await crypto.sha256(part))
  known.set(part, digest)
  return digest
}
