import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { bytesOf } from '../hex.js'

const FIELD_BYTES = 72
const SCALAR_BYTES = 48

// Order of P-384, big-endian (SP 800-186 §3.2.1.4).
const ORDER = bytesOf(
  'ffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973',
)

const invalid = (what: string): AttestationError => new AttestationError('report_signature_invalid', what)

const isBelowOrder = (bigEndian: Uint8Array): boolean => {
  const differs = ORDER.findIndex((limit, at) => bigEndian[at] !== limit)
  return differs >= 0 && (bigEndian[differs] ?? 0) < (ORDER[differs] ?? 0)
}

const scalar = (field: Uint8Array, name: string): Uint8Array => {
  if (!isZero(field.subarray(SCALAR_BYTES))) throw invalid(`${name} is longer than ${SCALAR_BYTES} bytes`)
  const bigEndian = new Uint8Array(field.subarray(0, SCALAR_BYTES)).reverse()
  if (isZero(bigEndian) || !isBelowOrder(bigEndian)) {
    throw invalid(`${name} is not between 1 and the order of P-384`)
  }
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
