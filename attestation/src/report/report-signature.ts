import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'

const FIELD_BYTES = 72
const SCALAR_BYTES = 48

// Order of P-384, big-endian (FIPS 186-5, SP 800-186 §3.2.1.4).
const ORDER = BigInt(
  '0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
)

const invalid = (what: string): AttestationError => new AttestationError('report_signature_invalid', what)

const toInteger = (bigEndian: Uint8Array): bigint => {
  const view = new DataView(bigEndian.buffer, bigEndian.byteOffset, SCALAR_BYTES)
  let value = 0n
  for (let at = 0; at < SCALAR_BYTES; at += 8) value = (value << 64n) | view.getBigUint64(at)
  return value
}

const scalar = (field: Uint8Array, name: string): Uint8Array => {
  if (!isZero(field.subarray(SCALAR_BYTES))) throw invalid(`${name} is longer than ${SCALAR_BYTES} bytes`)
  const bigEndian = new Uint8Array(field.subarray(0, SCALAR_BYTES)).reverse()
  const value = toInteger(bigEndian)
  if (value === 0n || value >= ORDER) throw invalid(`${name} is not between 1 and the order of P-384`)
  return bigEndian
}

/**
 * The signature as r ‖ s, 48 bytes each, big-endian. One encoding only: padding and the rest of the field are
 * zero, or a stranger could change evidence that still verifies. A high s is as good as a low one: AMD signs with both.
 * @param field SIGNATURE, 512 bytes: r and s, 72 bytes each, little-endian, then zeros
 * @throws AttestationError report_signature_invalid
 */
export const parseReportSignature = (field: Uint8Array): Uint8Array => {
  if (!isZero(field.subarray(2 * FIELD_BYTES))) throw invalid('bytes after r and s are not zero')
  const signature = new Uint8Array(2 * SCALAR_BYTES)
  signature.set(scalar(field.subarray(0, FIELD_BYTES), 'r'))
  signature.set(scalar(field.subarray(FIELD_BYTES, 2 * FIELD_BYTES), 's'), SCALAR_BYTES)
  return signature
}
