import { ProtocolError } from './errors.js'

const KIB = 1024

/** The sizes in bytes that a message on the wire may have; they say no more of what it holds. */
export const SIZE_CLASSES = [4 * KIB, 16 * KIB, 64 * KIB, 256 * KIB, 1024 * KIB, 2048 * KIB] as const

/** key_id, kem, kdf, aead; enc; AEAD tag. @see RFC 9458 §4.3 */
export const REQUEST_OVERHEAD_BYTES = 7 + 32 + 16

const TAG_BYTES = 16

/**
 * The smallest size class that holds this many bytes.
 * @throws ProtocolError `too_large` above 2 MiB.
 */
export const sizeClass = (bytes: number): number => {
  const found = SIZE_CLASSES.find((size) => size >= bytes)
  if (found === undefined)
    throw new ProtocolError('too_large', `${bytes} bytes are over the largest size class`)
  return found
}

/**
 * The length in bytes to pad a binary HTTP request to, so that the encapsulated request is a size class.
 * Made to be passed to `encodeRequest`.
 * @throws ProtocolError `too_large`
 */
export const paddedRequestLength = (length: number): number =>
  sizeClass(length + REQUEST_OVERHEAD_BYTES) - REQUEST_OVERHEAD_BYTES

/**
 * The same for responses, made to be passed to `encodeResponse`: a function from the length of the binary
 * HTTP response to the length to pad it to.
 * @param nonceBytes the response nonce: 16 for AES-128-GCM, 32 for ChaCha20-Poly1305
 * @param leastClass a size class that the encapsulated response shall have at least, if one is prescribed
 * @throws ProtocolError `too_large`
 * @see RFC 9458 §4.4
 */
export const paddedResponseLength =
  (nonceBytes: number, leastClass = 0) =>
  (length: number): number => {
    const overhead = nonceBytes + TAG_BYTES
    return sizeClass(Math.max(length + overhead, leastClass)) - overhead
  }
