import {
  appraiseEvidence,
  type ChainMemo,
  type Evidence,
  type Expected,
  type ExtraRoot,
  parseAppraisalPolicy,
  parseReport,
} from '@parley/attestation'
import { hardwarePolicy } from './hardware-policy.js'

/** Evidence, and all that it is judged by. */
export type Case = {
  readonly name: string
  readonly evidence: Evidence
  readonly expected: Expected
  readonly now: number
  readonly roots: readonly ExtraRoot[]
}

/** Expectations that a report meets: its own measurement, chip, host data and REPORT_DATA, all else as it may be. */
export function expectedOf(report: Uint8Array): Expected {
  const { measurement, chip_id, host_data, report_data } = parseReport(report)
  const policy = parseAppraisalPolicy(hardwarePolicy({ measurement, chip_id, host_data }))
  return { policy, reportData: report_data }
}

/** Whether a case is trusted, simulated or not. */
export async function isTrusted(
  { evidence, expected, now, roots }: Case,
  memo?: ChainMemo,
): Promise<boolean> {
  const terms = memo === undefined ? { now, roots } : { now, roots, memo }
  return (await appraiseEvidence(evidence, expected, terms)).trusted
}

/** The case with one bit of its measurement flipped, under the expectations that it met before. */
export function flipped(one: Case): Case {
  const report = one.evidence.report.slice()
  report[0x90] = (report[0x90] ?? 0) ^ 1
  return { ...one, evidence: { ...one.evidence, report } }
}
