import { hkdfExpand, hkdfExtract } from '#crypto'
import { concatBytes, utf8 } from './bytes.js'
import { u16 } from './hpke-suite.js'

/** "HPKE-v1" ‖ suite_id ‖ label, prepared once: each is used in every key schedule. @see RFC 9180 §4 */
export const kdfLabel = (suiteId: Uint8Array, label: string): Uint8Array =>
  concatBytes(utf8('HPKE-v1'), suiteId, utf8(label))

/** Extract(salt, label ‖ ikm). @see RFC 9180 §4 */
export const labeledExtract = (salt: Uint8Array, label: Uint8Array, keyMaterial: Uint8Array): Uint8Array =>
  hkdfExtract(salt, concatBytes(label, keyMaterial))

/** Expand(prk, I2OSP(L, 2) ‖ label ‖ info, L). @see RFC 9180 §4 */
export const labeledExpand = (
  key: Uint8Array,
  label: Uint8Array,
  info: Uint8Array,
  length: number,
): Uint8Array => hkdfExpand(key, concatBytes(u16(length), label, info), length)
