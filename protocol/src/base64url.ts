import { ProtocolError } from './errors.js'
import { alphabet, decodeRadix64, encodeRadix64 } from './radix64.js'

const URL_SAFE = alphabet('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')

/**
 * Base64url without padding.
 * @see RFC 4648 §5
 */
export const toBase64url = (bytes: Uint8Array): string => encodeRadix64(bytes, URL_SAFE)

/**
 * The bytes of an unpadded base64url text in its one canonical form.
 * @param size the number of bytes that the text must hold, if it is known
 * @throws ProtocolError `encoding_malformed` on padding, another character, set unused bits or another size.
 * @see RFC 4648 §3.5 and §5
 */
export const fromBase64url = (text: string, size?: number): Uint8Array => {
  const bytes = decodeRadix64(text, URL_SAFE)
  if (size !== undefined && bytes.length !== size)
    throw new ProtocolError('encoding_malformed', `base64url text holds ${bytes.length} bytes, not ${size}`)
  return bytes
}
