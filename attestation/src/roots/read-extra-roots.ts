import type { Certificate } from '../certificate/parse-certificate.js'
import { readCertificates } from '../certificate/read-certificates.js'
import { AttestationError } from '../errors.js'
import type { ExtraRoot } from '../evidence.js'

/**
 * The roots that a caller passes in, DER or PEM.
 * @param parse what reads one from DER
 * @throws AttestationError argument_invalid: a root is the caller's own, not evidence
 */
export const readExtraRoots = (
  roots: readonly ExtraRoot[],
  parse?: (der: Uint8Array) => Certificate,
): Certificate[] => {
  try {
    return readCertificates(
      roots.map(({ certificate }) => certificate),
      parse,
    )
  } catch (error) {
    if (!(error instanceof AttestationError)) throw error
    throw new AttestationError('argument_invalid', `an extra root can't be read: ${error.message}`)
  }
}
