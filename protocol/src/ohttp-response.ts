import { aeadOpen, aeadSeal, hkdfExpand, hkdfExtract } from '#crypto'
import { concatBytes, utf8 } from './bytes.js'
import type { AeadId } from './crypto-port.js'
import { ProtocolError } from './errors.js'
import { AEAD_KEY_BYTES, AEAD_NONCE_BYTES, AEAD_TAG_BYTES } from './hpke-suite.js'

const EMPTY = new Uint8Array(0)
const EXPORT_CONTEXT = utf8('message/bhttp response')
const KEY = utf8('key')
const NONCE = utf8('nonce')

/** What both ends hold of an encapsulated request. */
export type ResponseContext = {
  readonly aead: AeadId
  readonly enc: Uint8Array
  readonly exportSecret: (context: Uint8Array, length: number) => Uint8Array
}

/** Bytes of the response nonce: max(Nn, Nk), that is 16 for AES-128-GCM and 32 for ChaCha20-Poly1305. */
export const responseNonceBytes = (aead: AeadId): number => Math.max(AEAD_NONCE_BYTES, AEAD_KEY_BYTES[aead])

/** response_nonce ‖ ciphertext. @see RFC 9458 §4.4 */
export const sealResponse = (context: ResponseContext, bhttp: Uint8Array, nonce: Uint8Array): Uint8Array => {
  if (nonce.length !== responseNonceBytes(context.aead))
    throw new ProtocolError('ohttp_malformed', `a response nonce of ${nonce.length} bytes`)
  const keys = responseKeys(context, nonce)
  return aeadSeal(context.aead, keys.key, keys.nonce, EMPTY, bhttp, nonce)
}

/** The binary HTTP response of an encapsulated one. @see RFC 9458 §4.4 */
export const openResponse = (context: ResponseContext, message: Uint8Array): Uint8Array => {
  const nonceBytes = responseNonceBytes(context.aead)
  if (message.length < nonceBytes + AEAD_TAG_BYTES)
    throw new ProtocolError('ohttp_malformed', `an encapsulated response of ${message.length} bytes`)
  const keys = responseKeys(context, message.subarray(0, nonceBytes))
  const bhttp = aeadOpen(context.aead, keys.key, keys.nonce, EMPTY, message.subarray(nonceBytes))
  if (bhttp === undefined) throw new ProtocolError('hpke_failed', 'the response is not authentic')
  return bhttp
}

const responseKeys = ({ aead, enc, exportSecret }: ResponseContext, responseNonce: Uint8Array) => {
  const secret = exportSecret(EXPORT_CONTEXT, responseNonceBytes(aead))
  const prk = hkdfExtract(concatBytes(enc, responseNonce), secret)
  return {
    key: hkdfExpand(prk, KEY, AEAD_KEY_BYTES[aead]),
    nonce: hkdfExpand(prk, NONCE, AEAD_NONCE_BYTES),
  }
}
