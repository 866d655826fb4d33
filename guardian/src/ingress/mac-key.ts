import { canonicalBytes, equalBytes, fromHex, type JsonObject, ProtocolError, toHex } from '@parley/protocol'
import { hmacSha256 } from './hmac-sha256.js'

const KEY_BYTES = 32

/** One direction of a pairing: a key that authenticates objects and cannot be read, printed or serialised. */
export type MacKey = {
  /** HMAC-SHA256 over the JCS of an object without its `signature`, lower-case hex. */
  readonly sign: (unsigned: JsonObject) => string
  /** Compares in a time that does not depend on where two MACs differ. */
  readonly verify: (unsigned: JsonObject, signature: string) => boolean
}

/**
 * The key of 32 bytes.
 * @throws ProtocolError `key_refused` on another size
 * @see protocol SPEC "Corvin A2A v4"
 */
export const macKey = (bytes: Uint8Array): MacKey => {
  if (bytes.length !== KEY_BYTES)
    throw new ProtocolError('key_refused', `a MAC key has ${KEY_BYTES} bytes, not ${bytes.length}`)
  const key = bytes.slice()
  const mac = (unsigned: JsonObject) => hmacSha256(key, canonicalBytes(unsigned))
  return {
    sign: (unsigned) => toHex(mac(unsigned)),
    verify: (unsigned, signature) => equalBytes(mac(unsigned), macBytes(signature)),
  }
}

/**
 * The key that 64 lower-case hex digits spell.
 * @throws ProtocolError `key_refused` on another text
 */
export const macKeyOfHex = (text: string): MacKey => {
  try {
    return macKey(fromHex(text, KEY_BYTES))
  } catch {
    throw new ProtocolError('key_refused', `a MAC key is ${KEY_BYTES * 2} lower-case hex digits`)
  }
}

const macBytes = (signature: string): Uint8Array => {
  try {
    return fromHex(signature)
  } catch {
    return new Uint8Array()
  }
}
