import type { SignedReport } from '../brand.js'
import type { CheckResult } from '../checks.js'
import type { AppraisalPolicy } from './appraisal-policy.js'

/** What a rule looks at: a report that is genuine, and what somebody expects of it. */
export type Matter = {
  readonly signed: SignedReport
  readonly policy: AppraisalPolicy
  /** REPORT_DATA as the caller computed it, 64 bytes. */
  readonly reportData: Uint8Array
  readonly nowMs: number
}

/**
 * One expectation of a policy.
 * @throws AttestationError where the report is not as expected
 */
export type Rule = (matter: Matter) => CheckResult

/** The same, where a signature or a digest has to be computed. */
export type SlowRule = (matter: Matter) => Promise<CheckResult>
