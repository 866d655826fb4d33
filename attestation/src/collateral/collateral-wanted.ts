import type { Certificate } from '../certificate/parse-certificate.js'
import { productOfReport } from '../chain/check-product.js'
import { parseIntermediateName } from '../chain/names.js'
import { AttestationError } from '../errors.js'
import type { ProductLine } from '../product.js'
import type { Report } from '../report/report.js'
import type { SigningKey } from '../report/signer-info.js'

/** What a report asks for: certificates of one kind of leaf and one product line, at one time. */
export type CollateralWanted = {
  readonly report: Report
  readonly signs: SigningKey
  readonly product: ProductLine
  readonly nowMs: number
}

const productOf = (
  report: Report,
  certificates: readonly Certificate[],
  given: ProductLine | undefined,
): ProductLine => {
  const names = certificates.flatMap(({ subject, issuer }) => [subject.commonName, issuer.commonName])
  const named = names.map((name) => parseIntermediateName(name)?.product).find((line) => line !== undefined)
  const product = productOfReport(report) ?? given ?? named
  if (product === undefined)
    throw new AttestationError(
      'product_unsupported',
      'neither the report nor a certificate names a product line',
    )
  return product
}

const signsOf = ({ signer_info }: Report): SigningKey => {
  if (signer_info.signing_key !== null) return signer_info.signing_key
  throw new AttestationError('signing_key_unsupported', 'SIGNER_INFO names neither VCEK nor VLEK')
}

/**
 * What a report asks for.
 * @param certificates those at hand, whose names may tell the product line where the report does not
 * @param given what the caller knows of it
 * @throws AttestationError product_unsupported, signing_key_unsupported
 */
export const wantedBy = (
  report: Report,
  certificates: readonly Certificate[],
  given: ProductLine | undefined,
  nowMs: number,
): CollateralWanted => ({
  report,
  signs: signsOf(report),
  product: productOf(report, certificates, given),
  nowMs,
})
