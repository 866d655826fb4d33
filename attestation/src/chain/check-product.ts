import { AttestationError } from '../errors.js'
import { type ProductLine, productFromCpuid, productFromName } from '../product.js'
import type { Report } from '../report/report.js'
import { parseIntermediateName } from './names.js'
import type { LeafCertificate } from './select-leaf.js'

const unsupported = (what: string): AttestationError => new AttestationError('product_unsupported', what)

/** The product line that a report names itself, or null where its version has no CPUID, or the chip is unknown. */
export const productOfReport = ({ cpuid }: Report): ProductLine | null =>
  cpuid === null ? null : productFromCpuid(cpuid)

/**
 * The one product line that the leaf's issuer, the leaf and, from version 3 on, the report agree on.
 * @throws AttestationError product_unsupported, product_mismatch
 */
export const checkProduct = (report: Report, { issuer, leaf }: LeafCertificate): ProductLine => {
  const product = parseIntermediateName(issuer.commonName)?.product
  if (product === undefined) throw unsupported('the leaf is issued for no product line that is known here')
  const ofReport = productOfReport(report)
  if (report.cpuid !== null && ofReport === null)
    throw unsupported('CPUID names no product line that is known here')
  const named = [productFromName(leaf.productName), ofReport ?? product]
  if (named.some((other) => other !== product)) {
    throw new AttestationError(
      'product_mismatch',
      `the leaf is issued for ${product}, and something names another`,
    )
  }
  return product
}
