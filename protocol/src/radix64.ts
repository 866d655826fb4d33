import { ProtocolError } from './errors.js'

const NOT_A_DIGIT = 255

/** One alphabet of RFC 4648. */
export type Alphabet = {
  readonly digits: string
  /** The two digits of every twelve-bit number. */
  readonly pairs: readonly string[]
  /** The value of each character code; 255 for a character that is no digit. */
  readonly values: Uint8Array
}

/** Prepares an alphabet of 64 ASCII characters. */
export const alphabet = (digits: string): Alphabet => {
  const values = new Uint8Array(256).fill(NOT_A_DIGIT)
  Array.from(digits).forEach((digit, value) => (values[digit.charCodeAt(0)] = value))
  const pairs = Array.from(digits).flatMap((high) => Array.from(digits, (low) => high + low))
  return { digits, pairs, values }
}

/** The unpadded text of the bytes, six bits a character. */
export const encodeRadix64 = (bytes: Uint8Array, { digits, pairs }: Alphabet): string => {
  const octet = (at: number): number => bytes[at] ?? 0
  const left = bytes.length % 3
  const whole = bytes.length - left
  let text = ''
  for (let i = 0; i < whole; i += 3)
    text +=
      (pairs[(octet(i) << 4) | (octet(i + 1) >> 4)] ?? '') +
      (pairs[((octet(i + 1) & 15) << 8) | octet(i + 2)] ?? '')
  if (left === 1) text += pairs[octet(whole) << 4] ?? ''
  if (left === 2)
    text +=
      (pairs[(octet(whole) << 4) | (octet(whole + 1) >> 4)] ?? '') +
      digits.charAt((octet(whole + 1) & 15) << 2)
  return text
}

/**
 * The bytes of an unpadded text, accepted in its one canonical form only.
 * @throws ProtocolError `encoding_malformed`
 */
export const decodeRadix64 = (text: string, { values }: Alphabet): Uint8Array => {
  if (text.length % 4 === 1) throw malformed(text)
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4))
  // A code of 256 or more is outside the table.
  const digit = (at: number): number => values[text.charCodeAt(at)] ?? NOT_A_DIGIT
  let at = 0
  let seen = 0
  let last = 0
  for (let i = 0; i < text.length; i += 4) {
    const [a, b] = [digit(i), digit(i + 1)]
    const c = i + 2 < text.length ? digit(i + 2) : 0
    const d = i + 3 < text.length ? digit(i + 3) : 0
    seen |= a | b | c | d
    last = (a << 18) | (b << 12) | (c << 6) | d
    // Octets past the end fall off: the array has no room for them.
    bytes[at++] = last >> 16
    bytes[at++] = last >> 8
    bytes[at++] = last
  }
  // Unused bits must be zero: otherwise several texts would stand for the same bytes.
  const unused = [0, 0, 0xffff, 0xff][text.length % 4] ?? 0
  if (seen >= 64 || (last & unused) !== 0) throw malformed(text)
  return bytes
}

const malformed = (text: string): ProtocolError =>
  new ProtocolError('encoding_malformed', `text of ${text.length} characters is not canonical base64`)
