import { AttestationError } from '../errors.js'
import { type Certificate, parseCertificate } from './parse-certificate.js'
import { readPem } from './pem.js'

const MAX_CERTIFICATES = 32
const DER_SEQUENCE = 0x30

const checkNumber = ({ length }: readonly Uint8Array[]): void => {
  if (length <= MAX_CERTIFICATES) return
  throw new AttestationError('certificate_malformed', `more than ${MAX_CERTIFICATES} certificates`)
}

/**
 * Certificates from files or table entries: each is one DER certificate, or PEM with one or more.
 * @param inputs in any order; at most 32 certificates in all
 * @param parse what reads one from DER
 * @throws AttestationError certificate_malformed
 */
export const readCertificates = (
  inputs: readonly Uint8Array[],
  parse: (der: Uint8Array) => Certificate = parseCertificate,
): Certificate[] => {
  checkNumber(inputs)
  const encoded = inputs.flatMap((input) => (input[0] === DER_SEQUENCE ? [input] : readPem(input)))
  checkNumber(encoded)
  return encoded.map((der) => parse(der))
}
