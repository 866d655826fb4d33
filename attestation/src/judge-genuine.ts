import { type Check, firstFailure } from './checks.js'
import type { AttestationErrorCode } from './errors.js'
import type { Evidence, Terms } from './evidence.js'
import { examineEvidence, type GenuineCheckName, STRICT } from './examine-evidence.js'
import type { ProductLine } from './product.js'
import { peekVersion } from './report/parse-report.js'
import { type ReportView, reportToJson } from './report/report-to-json.js'
import type { SigningKey } from './report/signer-info.js'

/** Whether evidence is genuine, without any policy; plain JSON. */
export type GenuineJudgement = {
  readonly genuine: boolean
  /** The first failure, or null. */
  readonly code: AttestationErrorCode | null
  readonly product: ProductLine | null
  /** As the first four bytes say, also where the report is malformed. */
  readonly report_version: number | null
  /** The key that the report says it is signed with, proved only where `genuine`. */
  readonly signed_by: SigningKey | null
  readonly simulated: boolean
  readonly report: ReportView | null
  readonly checks: readonly Check<GenuineCheckName>[]
}

/**
 * Judges whether evidence is genuine and nothing else: signature, chain, dates, TCB, chip. A genuine report can still
 * be of a debugged guest, of other code, or asked for by the host.
 * @param input report of 1184 bytes, certificates in any order, `now`, and extra roots
 * @throws AttestationError argument_invalid for `now` or a root; never for evidence
 */
export const judgeGenuine = async (input: Evidence & Terms): Promise<GenuineJudgement> => {
  const { report, product, checks, signed } = await examineEvidence(input, input, STRICT)
  return {
    genuine: signed !== null,
    code: firstFailure(checks),
    product,
    report_version: peekVersion(input.report),
    signed_by: report?.signer_info.signing_key ?? null,
    simulated: checks.some(({ trusted_for }) => trusted_for === 'simulated root'),
    report: report === null ? null : reportToJson(report, product),
    checks,
  }
}
