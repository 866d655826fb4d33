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

// Little-endian from here on: the highest byte stands last.
const isBelowOrder = (field: Uint8Array, from: number): boolean => {
  const byte = (at: number): number => field[from + SCALAR_BYTES - 1 - at] ?? 0
  let at = 0
  while (at < SCALAR_BYTES && byte(at) === ORDER[at]) at++
  return at < SCALAR_BYTES && byte(at) < (ORDER[at] ?? 0)
}

const checkScalar = (field: Uint8Array, from: number, name: string): void => {
  const end = from + SCALAR_BYTES
  if (!isZero(field, end, from + FIELD_BYTES)) throw invalid(`${name} is longer than ${SCALAR_BYTES} bytes`)
  if (isZero(field, from, end) || !isBelowOrder(field, from))
    throw invalid(`${name} is not between 1 and the order of P-384`)
}

/**
 * The signature as r ‖ s, 48 bytes each, big-endian. One encoding only: padding and the rest of the field are
 * zero, or a stranger could change evidence that still verifies. A high s is as good as a low one: AMD signs with both.
 * @param field SIGNATURE, 512 bytes: r and s, 72 bytes each, little-endian, then zeros
 * @throws AttestationError report_signature_invalid
 */
export const parseReportSignature = (field: Uint8Array): Uint8Array => {
  if (!isZero(field, 2 * FIELD_BYTES)) throw invalid('bytes after r and s are not zero')
  checkScalar(field, 0, 'r')
  checkScalar(field, FIELD_BYTES, 's')
  const signature = new Uint8Array(2 * SCALAR_BYTES)
  for (let at = 0; at < SCALAR_BYTES; at++) {
    signature[SCALAR_BYTES - 1 - at] = field[at] ?? 0
    signature[2 * SCALAR_BYTES - 1 - at] = field[FIELD_BYTES + at] ?? 0
  }
  return signature
}
