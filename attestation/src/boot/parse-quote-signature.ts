import { schemeOf, type SignatureScheme, TPM } from './algorithms.js'
import { FieldReader, TPM_FORM } from './field-reader.js'

/** A signature of a TPM over a SHA-256. */
export type QuoteSignature = {
  readonly scheme: SignatureScheme
  /** As many bytes as the modulus has; or r ‖ s, 32 bytes each, big-endian. */
  readonly value: Uint8Array
}

const MAX_RSA_BYTES = 512
const INTEGER_BYTES = 32

// A TPM may leave out leading zeros, WebCrypto wants them.
const readInteger = (reader: FieldReader): Uint8Array => {
  const read = reader.sized(INTEGER_BYTES, 'an integer of the signature')
  const padded = new Uint8Array(INTEGER_BYTES)
  padded.set(read, INTEGER_BYTES - read.length)
  return padded
}

const readValue = (reader: FieldReader, scheme: SignatureScheme): Uint8Array =>
  scheme === 'ecdsa-p256'
    ? Uint8Array.of(...readInteger(reader), ...readInteger(reader))
    : reader.sized(MAX_RSA_BYTES, 'the signature')

/**
 * A TPMT_SIGNATURE: RSASSA, RSAPSS or ECDSA, over SHA-256.
 * @throws AttestationError boot_evidence_malformed
 * @see TPM 2.0 Library, Part 2, §11.3.4
 */
export const parseQuoteSignature = (bytes: Uint8Array): QuoteSignature => {
  const reader = new FieldReader(bytes, TPM_FORM)
  const scheme = schemeOf(reader.uint16())
  if (scheme === null || reader.uint16() !== TPM.sha256) throw reader.malformed('a signature of another kind')
  const value = readValue(reader, scheme)
  reader.finish('the signature')
  return { scheme, value }
}
