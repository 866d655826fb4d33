import type { ByteReader } from './byte-reader.js'

/** The variable-length integer of a number below 2^30, in its shortest form. @see RFC 9000 §16 */
export const encodeVarint = (number: number): Uint8Array => {
  if (number < 0x40) return Uint8Array.of(number)
  if (number < 0x4000) return Uint8Array.of(0x40 | (number >> 8), number & 0xff)
  return Uint8Array.of(0x80 | (number >> 24), (number >> 16) & 0xff, (number >> 8) & 0xff, number & 0xff)
}

/**
 * Reads a variable-length integer; a longer form than needed is allowed. Beyond 2^53 the number is inexact,
 * and larger than any length that is left to read.
 * @see RFC 9000 §16
 */
export const readVarint = (reader: ByteReader): number => {
  const first = reader.u8()
  const more = [0, 1, 3, 7][first >> 6] ?? 0
  let number = first & 0x3f
  for (const octet of reader.take(more)) number = number * 256 + octet
  return number
}
