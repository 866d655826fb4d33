import {
  type Appraisal,
  appraiseEvidence,
  AttestationError,
  type Check,
  type Claims,
  type Evidence as HardwareEvidence,
  type Reasoned,
  type SignedReport,
  type Terms,
  verifyReport,
} from '@parley/attestation'
import { equalBytes, type Hardware } from '@parley/protocol'
import { failed, type Finding, notRun, passed, refusalOf } from '../finding.js'
import { hardwareEvidence } from '../hardware-evidence.js'
import type { VerifierPolicy } from '../policy.js'
import { NOTHING } from '../verdict.js'

/** What became of a report and its certificates. */
export type HardwareAppraisal = {
  readonly findings: readonly Finding[]
  readonly simulated: boolean
  readonly claims: Claims
  readonly checks: readonly Check[]
  readonly anys: readonly Reasoned[]
  readonly waivers: readonly Reasoned[]
}

/** A report to appraise: what it must have been made over, what is expected, and what it is judged under. */
export type HardwareToAppraise = {
  readonly hardware: Hardware
  /** 64 bytes, as this verifier computed them. */
  readonly reportData: Uint8Array
  readonly policy: VerifierPolicy
  readonly terms: Terms
}

const DER_SEQUENCE = 0x30

/** Appraises a report. Without an expectation of hardware it must still be genuine, and made over this tree. */
export const appraiseHardware = async (input: HardwareToAppraise): Promise<HardwareAppraisal> => {
  const evidence = hardwareEvidence(input.hardware)
  if (!evidence.certificates.every(([first]) => first === DER_SEQUENCE))
    return {
      ...NOTHING,
      checks: [],
      findings: [failed('hardware_genuine', 'certificate_malformed', 'not DER')],
    }
  return input.policy.hardware === null
    ? judgeOnly(evidence, input)
    : appraise(evidence, { ...input, expected: input.policy.hardware })
}

type Expecting = HardwareToAppraise & { readonly expected: NonNullable<VerifierPolicy['hardware']> }

const appraise = async (
  evidence: HardwareEvidence,
  { expected, reportData, policy, terms }: Expecting,
): Promise<HardwareAppraisal> => {
  const appraisal = await appraiseEvidence(evidence, { policy: expected, reportData }, terms)
  const { simulated, claims, checks, signed, anys, waivers } = appraisal
  const findings =
    signed === null
      ? [failed('hardware_genuine', firstFailure(checks) ?? 'collateral_missing')]
      : [...ofSigned(signed, evidence, reportData, policy), checkExpected(appraisal)]
  return { findings, simulated, claims, checks, anys, waivers }
}

const judgeOnly = async (
  evidence: HardwareEvidence,
  { reportData, policy, terms }: HardwareToAppraise,
): Promise<HardwareAppraisal> => {
  try {
    const signed = await verifyReport({ ...evidence, ...terms })
    const findings = ofSigned(signed, evidence, reportData, policy)
    const { simulated } = signed
    return {
      ...NOTHING,
      checks: [],
      simulated,
      findings: [...findings, notRun('hardware_expected', 'hardware_not_expected')],
    }
  } catch (error) {
    const { code, message } = refusalOf(error)
    return { ...NOTHING, checks: [], findings: [failed('hardware_genuine', code, message)] }
  }
}

const ofSigned = (
  signed: SignedReport,
  { certificates }: HardwareEvidence,
  reportData: Uint8Array,
  { accept_simulated }: VerifierPolicy,
): readonly Finding[] => [
  runsOver(signed, certificates)
    ? passed('hardware_genuine')
    : failed('hardware_genuine', 'certificate_unused', 'a certificate stands in the wrong place'),
  equalBytes(signed.report.report_data, reportData)
    ? passed('report_data')
    : failed('report_data', 'report_data_mismatch', 'REPORT_DATA is of another keyset or tree'),
  signed.simulated && !accept_simulated
    ? failed('root_accepted', 'simulated_without_leave', 'SIMULATED: the chain ends in an extra root')
    : passed('root_accepted'),
]

// The chain is found by names, whatever lies where. Each certificate of the document must be the one that counted in
// its place, or its bytes could change unnoticed.
const runsOver = ({ chain }: SignedReport, certificates: readonly Uint8Array[]): boolean =>
  [chain.leaf, chain.intermediate, chain.root].every(({ der }, place) => {
    const certificate = certificates[place]
    return certificate !== undefined && equalBytes(der, certificate)
  })

const firstFailure = (checks: readonly Check[]): Check['code'] =>
  checks.find(({ result }) => result === 'failed')?.code ?? null

// REPORT_DATA is a check of its own here: it decides whether the evidence is of this relay at all.
const checkExpected = ({ checks }: Appraisal): Finding => {
  const broken = checks.filter(({ name, result }) => result === 'failed' && name !== 'report_data')
  const [first] = broken
  if (first === undefined) return passed('hardware_expected')
  if (first.code === null) throw new AttestationError('argument_invalid', 'a failed check has no code')
  return failed('hardware_expected', first.code, broken.map(({ name }) => name).join(', '))
}
