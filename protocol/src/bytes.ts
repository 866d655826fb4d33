import { ProtocolError } from './errors.js'

const ENCODER = new TextEncoder()
const DECODER = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const LOWER_HEX = /^(?:[0-9a-f]{2})*$/
const HEX_OF = Array.from({ length: 256 }, (_, octet) => octet.toString(16).padStart(2, '0'))

/** Joins the parts into one new array. */
export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => {
  let length = 0
  for (const part of parts) length += part.length
  const joined = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return joined
}

/** Compares two byte strings in a time that depends on their lengths only. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

/** True if every surrogate of the text stands in a pair, so that the text has a UTF-8 form. */
export const isWellFormed = (text: string): boolean => text.isWellFormed()

/**
 * The UTF-8 bytes of a text.
 * @throws ProtocolError `encoding_malformed` on a lone surrogate, which TextEncoder would silently replace.
 */
export const utf8 = (text: string): Uint8Array => {
  if (!isWellFormed(text)) throw new ProtocolError('encoding_malformed', 'text has a lone surrogate')
  return ENCODER.encode(text)
}

/**
 * The text of UTF-8 bytes. A byte order mark is kept as a character, never dropped.
 * @throws ProtocolError `encoding_malformed` on anything that is not UTF-8.
 */
export const fromUtf8 = (bytes: Uint8Array): string => {
  try {
    return DECODER.decode(bytes)
  } catch {
    throw new ProtocolError('encoding_malformed', `${bytes.length} bytes are not UTF-8`)
  }
}

/** Lower-case hexadecimal, two digits an octet. */
export const toHex = (bytes: Uint8Array): string => {
  let text = ''
  for (const octet of bytes) text += HEX_OF[octet] ?? ''
  return text
}

/**
 * The bytes of a lower-case hexadecimal text.
 * @param size the number of bytes that the text must hold, if it is known
 * @throws ProtocolError `encoding_malformed` on upper case, odd length, another character or another size.
 */
export const fromHex = (text: string, size?: number): Uint8Array => {
  if (!LOWER_HEX.test(text)) throw new ProtocolError('encoding_malformed', 'text is not lower-case hex')
  const bytes = new Uint8Array(text.length / 2)
  if (size !== undefined && bytes.length !== size)
    throw new ProtocolError('encoding_malformed', `hex text holds ${bytes.length} bytes, not ${size}`)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16)
  return bytes
}
