import type { SignedReport } from './brand.js'
import { allHold, type Check } from './checks.js'
import { type Claims, claimsOf } from './claims.js'
import { AttestationError } from './errors.js'
import { type Evidence, type Terms, toMilliseconds } from './evidence.js'
import { examineEvidence, type GenuineCheckName } from './examine-evidence.js'
import { type AppraisalPolicy, leftOpen, type Reasoned } from './policy/appraisal-policy.js'
import { checkPolicy, type PolicyCheckName } from './policy/check-policy.js'
import { checkComplete } from './policy/complete-policy.js'
import type { ProductLine } from './product.js'
import type { Report } from './report/report.js'

/** What somebody expects of evidence. */
export type Expected = {
  readonly policy: AppraisalPolicy
  /** REPORT_DATA as the caller computed it, 64 bytes. Never taken from the evidence. */
  readonly reportData: Uint8Array
}

/** The result of an appraisal. */
export type Appraisal = {
  /** Whether every check held and none was waived. Says nothing about a simulated root: look at `simulated` too. */
  readonly trusted: boolean
  /** Whether the chain ended at a root that the caller passed in: then nothing here comes from AMD. */
  readonly simulated: boolean
  readonly checks: readonly Check<GenuineCheckName | PolicyCheckName>[]
  readonly claims: Claims
  /** What the policy leaves open. */
  readonly anys: readonly Reasoned[]
  /** Checks that the policy does without. */
  readonly waivers: readonly Reasoned[]
  readonly report: Report | null
  readonly product: ProductLine | null
  /** There where the evidence is genuine, whether or not it is what was expected. */
  readonly signed: SignedReport | null
}

const REPORT_DATA_BYTES = 64

const checkExpected = ({ policy, reportData }: Expected): void => {
  checkComplete(policy)
  if (reportData.length === REPORT_DATA_BYTES) return
  throw new AttestationError(
    'argument_invalid',
    `REPORT_DATA has ${REPORT_DATA_BYTES} bytes, not ${reportData.length}`,
  )
}

/**
 * Appraises evidence: is it genuine, and is it what was expected? Every check that can run runs; bad evidence never
 * throws, a missing reference value always does.
 * @param evidence report of 1184 bytes, and certificates in any order
 * @param expected the policy, and REPORT_DATA as the caller computed it
 * @param terms `now`, extra roots, and what may be remembered
 * @throws AttestationError reference_value_missing; argument_invalid for REPORT_DATA, `now` or a root
 * @see RFC 9334 §8; AMD 56860, ATTESTATION_REPORT
 */
export const appraiseEvidence = async (
  evidence: Evidence,
  expected: Expected,
  terms: Terms,
): Promise<Appraisal> => {
  checkExpected(expected)
  const { policy, reportData } = expected
  const {
    report,
    product,
    checks: genuine,
    signed,
  } = await examineEvidence(evidence, terms, {
    masked: policy.masked_chip_id,
    leafGrace: policy.leaf_grace_days,
  })
  const wanted = await checkPolicy({ signed, policy, reportData, nowMs: toMilliseconds(terms.now) })
  const checks = [...genuine, ...wanted]
  return {
    trusted: allHold(checks),
    simulated: checks.some(({ trusted_for }) => trusted_for === 'simulated root'),
    checks,
    claims: claimsOf(checks, policy.launch_covers),
    anys: leftOpen(policy),
    waivers: policy.waive,
    report,
    product,
    signed,
  }
}
