import { fromHex, toHex } from '../hex.js'

// UEFI writes the first three fields little-endian and the rest as it is printed (UEFI 2.10, Appendix A).
const ORDER = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15]

/** The size of a GUID in bytes. */
export const GUID_BYTES = 16

const reorder = (bytes: Uint8Array): Uint8Array => Uint8Array.from(ORDER, (at) => bytes[at] ?? 0)

/** The 16 bytes by which firmware writes a GUID that is given as text. */
export const guidBytes = (text: string): Uint8Array =>
  reorder(fromHex(text.replaceAll('-', '')) ?? new Uint8Array())

/** The text of a GUID that firmware wrote: lower-case, with dashes. */
export const guidText = (bytes: Uint8Array): string =>
  toHex(reorder(bytes)).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
