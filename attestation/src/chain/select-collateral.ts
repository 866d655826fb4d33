import { distinctCertificates } from '../certificate/distinct-certificates.js'
import type { Certificate } from '../certificate/parse-certificate.js'
import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import type { Report } from '../report/report.js'
import { selectLeaf } from './select-leaf.js'

const issuersOf = ({ issuer }: Certificate, certificates: readonly Certificate[]): Certificate[] => {
  const issuers = certificates.filter(({ subject }) => equalBytes(subject.der, issuer.der))
  if (issuers.length === 0)
    throw new AttestationError('collateral_missing', `there is no ${issuer.commonName}`)
  return issuers
}

/**
 * What a verifier will need of these certificates to judge a report: its leaf, and by their names the authorities
 * above it. Nothing is verified: that is the verifier's business.
 * @throws AttestationError collateral_missing, leaf_kind_mismatch, signing_key_unsupported
 */
export const selectCollateral = (report: Report, certificates: readonly Certificate[]): Certificate[] => {
  // No date is preferred: at the attester nobody's clock counts.
  const leaf = selectLeaf(report, certificates, 0)
  const intermediates = issuersOf(leaf, certificates)
  return distinctCertificates([
    leaf,
    ...intermediates,
    ...intermediates.flatMap((one) => issuersOf(one, certificates)),
  ])
}
