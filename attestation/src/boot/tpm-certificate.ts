import { DerReader, malformed, TAG } from '../certificate/der.js'
import { equalBytes } from '../equal-bytes.js'
import {
  type GoogleCertificate,
  parseCertificateOf,
  readRsaSpki,
} from '../gce-endorsement/google-certificate.js'
import { bytesOf } from '../hex.js'

// id-ecPublicKey with prime256v1 (RFC 5480 §2.1.1).
const EC_P256 = bytesOf('301306072a8648ce3d020106082a8648ce3d030107')
// No unused bits, uncompressed, two coordinates.
const POINT_BYTES = 2 + 64

const readSpki = (tbs: DerReader): Uint8Array => {
  const spki = new DerReader(tbs.element(TAG.sequence))
  const whole = spki.element(TAG.sequence)
  const parts = new DerReader(whole).enter(TAG.sequence)
  if (!equalBytes(parts.element(TAG.sequence), EC_P256)) return readRsaSpki(new DerReader(whole))
  const bits = parts.content(TAG.bitString)
  parts.finish('the public key')
  if (bits.length !== POINT_BYTES || bits[0] !== 0 || bits[1] !== 4) throw malformed('no point of P-256')
  return whole
}

/** A certificate of a TPM's key, or of an authority over such: RSA or P-256. Parsed, and not verified. */
export type TpmCertificate = GoogleCertificate

/**
 * Reads one from DER, at most 8 KiB.
 * @throws AttestationError certificate_malformed
 */
export const parseTpmCertificate = (der: Uint8Array): TpmCertificate => parseCertificateOf(der, readSpki)
