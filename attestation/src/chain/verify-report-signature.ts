import { AttestationError } from '../errors.js'
import type { Report } from '../report/report.js'
import { parseReportSignature } from '../report/report-signature.js'
import type { VerifiedChain } from './verify-chain.js'

/**
 * The leaf's key signed the report's first 672 bytes. A signature of zeros, which firmware writes where MASK_CHIP_KEY
 * is set, is no signature.
 * @throws AttestationError report_signature_invalid
 */
export const verifyReportSignature = async (report: Report, chain: VerifiedChain): Promise<void> => {
  const signature = parseReportSignature(report.signature)
  if (!(await chain.verify(report.signed_bytes, signature))) {
    throw new AttestationError('report_signature_invalid', 'the signature is not that of the leaf')
  }
}
