import type { Certificate } from '../certificate/parse-certificate.js'
import { AttestationError } from '../errors.js'

/**
 * Each certificate counts at this time; both ends of a validity belong to it (RFC 5280 §4.1.2.5).
 * @throws AttestationError certificate_not_yet_valid, certificate_expired
 */
export const checkValidity = (certificates: readonly Certificate[], nowMs: number): void => {
  for (const { subject, notBeforeMs, notAfterMs } of certificates) {
    if (nowMs < notBeforeMs)
      throw new AttestationError('certificate_not_yet_valid', `${subject.commonName} is not valid yet`)
    if (nowMs > notAfterMs)
      throw new AttestationError('certificate_expired', `${subject.commonName} has expired`)
  }
}
