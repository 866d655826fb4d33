import { ProtocolError } from './errors.js'
import { alphabet, decodeRadix64, encodeRadix64 } from './radix64.js'

const STANDARD = alphabet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
const PADDING = /={1,2}$/

/**
 * Base64 with padding, as signed notes and HTTP structured fields use it.
 * @see RFC 4648 §4
 */
export const toBase64 = (bytes: Uint8Array): string => {
  const text = encodeRadix64(bytes, STANDARD)
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=')
}

/**
 * The bytes of a padded base64 text in its one canonical form.
 * @throws ProtocolError `encoding_malformed` on missing padding, another character or set unused bits.
 * @see RFC 4648 §3.5 and §4
 */
export const fromBase64 = (text: string): Uint8Array => {
  if (text.length % 4 !== 0) throw new ProtocolError('encoding_malformed', 'base64 text is not padded')
  return decodeRadix64(text.replace(PADDING, ''), STANDARD)
}
