import {
  type Appraisal,
  appraiseEvidence,
  type AppraisalPolicy,
  parseReport,
  type Terms,
} from '@parley/attestation'
import { type Ed25519PublicKey, equalBytes, fromBase64 } from '@parley/protocol'
import { failed, type Finding, notRun, passed, refusalOf } from '../finding.js'
import { type Findings, NOTHING } from '../verdict.js'
import { teeOf, type Transcripts, transcriptsOf } from './check-tee.js'
import type { ForeignReceipt } from './foreign-receipt.js'

/** What a caller expects of the report inside a receipt of the TEE lane, and what it is judged under. */
export type ReportExpectations = {
  readonly policy: AppraisalPolicy
  /** Intermediate and root, DER: a receipt carries at the most its leaf. */
  readonly certificates: readonly Uint8Array[]
  readonly terms: Terms
}

/** What became of that report. */
export type ReportAppraisal = Pick<Findings, 'simulated' | 'hardware' | 'claims' | 'anys' | 'waivers'> & {
  readonly findings: readonly Finding[]
}

const HARDWARE = ['hardware_genuine', 'hardware_expected', 'root_accepted'] as const

/** Without expectations nothing is appraised; with them a receipt without a report does not meet them. */
export const appraiseReport = async (
  read: ForeignReceipt,
  key: Ed25519PublicKey,
  expected: ReportExpectations | null,
): Promise<ReportAppraisal> => {
  if (expected === null) return unappraised(read)
  const quote = teeOf(read)?.quote
  if (read.form === '1.0.0' || quote === undefined)
    return only(failed('hardware_genuine', 'collateral_missing', 'the receipt carries no report'))
  try {
    return found(await appraise(read.receipt, key, quote, expected))
  } catch (error) {
    const { code, message } = refusalOf(error)
    return only(failed('hardware_genuine', code, message))
  }
}

/** What holds of a report at which nobody looked. */
export const unappraised = (read: ForeignReceipt): ReportAppraisal => {
  const code = teeOf(read)?.quote === undefined ? 'no_report' : 'hardware_not_expected'
  return { ...NOTHING, findings: HARDWARE.map((name) => notRun(name, code)) }
}

const only = (finding: Finding): ReportAppraisal => ({ ...NOTHING, findings: [finding] })

type Second = Extract<ForeignReceipt, { readonly form: '2.1.0' }>['receipt']

const appraise = (
  receipt: Second,
  key: Ed25519PublicKey,
  quote: string,
  { policy, certificates, terms }: ReportExpectations,
): Promise<Appraisal> => {
  const leaf = receipt.tee_attestation?.snp_vcek_cert
  const report = fromBase64(quote)
  return appraiseEvidence(
    {
      report,
      certificates: leaf === undefined ? certificates : [fromBase64(leaf), ...certificates],
    },
    { policy, reportData: transcriptUnder(report, transcriptsOf(receipt, key)()) },
    terms,
  )
}

// A receipt that asserts no model may be under either version of the transcript; both were computed here.
const transcriptUnder = (report: Uint8Array, transcripts: Transcripts): Uint8Array => {
  const { report_data } = parseReport(report)
  const [first, second] = transcripts
  return second !== undefined && equalBytes(second, report_data) ? second : first
}

const found = (appraisal: Appraisal): ReportAppraisal => {
  const { simulated, claims, checks, anys, waivers, signed } = appraisal
  const broken = checks.find(({ result }) => result === 'failed')
  const code = broken?.code ?? 'collateral_missing'
  return {
    simulated,
    claims,
    hardware: checks,
    anys,
    waivers,
    findings:
      signed === null
        ? [failed('hardware_genuine', code)]
        : [
            passed('hardware_genuine'),
            broken === undefined
              ? passed('hardware_expected')
              : failed('hardware_expected', code, broken.name),
            // No option gives leave here: what an extra root vouches for is for a look at the checks only.
            simulated ? failed('root_accepted', 'simulated_without_leave') : passed('root_accepted'),
          ],
  }
}
