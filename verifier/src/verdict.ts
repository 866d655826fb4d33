import type { Claims, Reasoned, Check as HardwareCheck } from '@parley/attestation'
import type { JsonValue, Lane, Outcome } from '@parley/protocol'
import {
  checkRow,
  type CheckName,
  type ExitClass,
  type Procedure,
  PROCEDURES,
  type Trusted,
} from './check-table.js'
import { type FailureCode, isGap, type NotRunCode } from './failure-code.js'
import { type Finding, notRun } from './finding.js'

/** One named check, what it came to, and who is still trusted for it once it has passed. */
export type Check = {
  readonly name: CheckName
  readonly result: 'passed' | 'failed' | 'not_run'
  readonly code?: FailureCode | NotRunCode
  readonly trusted_for: Trusted
  readonly detail?: string
}

/** An assurance that a verifier recomputed, or that a policy asks for at the least. */
export type AssuranceLevel = 'SELF_ASSERTED' | 'TEE_ATTESTED' | 'PROVIDER_ATTESTED'

/** What a verifier answers: one boolean, and how it came about (SPEC §16). */
export type Verdict = {
  readonly procedure: Procedure
  readonly trusted: boolean
  /** A chain ended in an extra root that the caller passed, not in one of AMD's. */
  readonly simulated: boolean
  /** Recomputed; null where nothing holds. */
  readonly assurance_level: AssuranceLevel | null
  readonly lane: Lane | null
  readonly exit_code: 0 | ExitClass
  readonly checks: readonly Check[]
  /** The steps behind the checks on hardware; empty where there was none to judge. */
  readonly hardware: readonly HardwareCheck[]
  readonly claims: Claims
  /** Reference values that the policy left open, with its reasons. */
  readonly anys: readonly Reasoned[]
  /** Checks that the policy waived, with its reasons. */
  readonly waivers: readonly Reasoned[]
  readonly session_id: string | null
  readonly outcome: Outcome | null
  /** The opened output; null unless the verdict is trusted. */
  readonly output: JsonValue
}

/** What a procedure found out beside its checks. */
export type Findings = Omit<Verdict, 'trusted' | 'exit_code' | 'checks'> & {
  readonly findings: readonly Finding[]
}

const UNKNOWN = { status: 'not_run', root: 'nobody' } as const

/** What is known before anything was read. */
export const NOTHING = {
  simulated: false,
  assurance_level: null,
  lane: null,
  hardware: [],
  claims: { launch: UNKNOWN, boot: UNKNOWN, app: UNKNOWN },
  anys: [],
  waivers: [],
  session_id: null,
  outcome: null,
  output: null,
} as const satisfies Omit<Findings, 'procedure' | 'findings'>

// Of several failures the most fundamental decides: what cannot be read; what nothing vouches for; what
// contradicts itself, so that somebody changed it; and only then what is sound but not what was expected.
const PRECEDENCE: readonly ExitClass[] = [5, 2, 4, 3]

/** Draws the verdict. Trusted only where every check of the procedure passed or had nothing to prove. */
export const drawVerdict = ({ findings, ...known }: Findings): Verdict => {
  const settled = PROCEDURES[known.procedure].map((name) => settle(name, findings, known.waivers))
  const trusted = known.waivers.length === 0 && !settled.some(isFailedOrGap)
  return {
    ...known,
    trusted,
    exit_code: trusted ? 0 : exitClass(settled),
    checks: settled.map((finding) => toCheck(finding, known.simulated)),
    output: trusted ? known.output : null,
  }
}

// A check that no stage reported counts as a gap: forgetting one can only make a verdict worse.
const settle = (name: CheckName, findings: readonly Finding[], waivers: readonly Reasoned[]): Finding => {
  if (waivers.some(({ check }) => check === name)) return notRun(name, 'waived')
  return findings.find((finding) => finding.name === name) ?? notRun(name, 'prerequisite_failed')
}

const isFailedOrGap = (finding: Finding): boolean =>
  finding.result === 'failed' || (finding.result === 'not_run' && isGap(finding.code))

const exitClass = (findings: readonly Finding[]): ExitClass => {
  const classes = findings.filter(({ result }) => result === 'failed').map((finding) => classOf(finding))
  return PRECEDENCE.find((each) => classes.includes(each)) ?? 3
}

// Certificates and reports travel as opaque bytes, so these are found malformed only on the way to a judgement.
const MALFORMED: readonly FailureCode[] = [
  'report_malformed',
  'report_version_unsupported',
  'certificate_malformed',
  'boot_evidence_malformed',
  'event_log_malformed',
]

const classOf = (finding: Finding): ExitClass =>
  finding.result === 'failed' && MALFORMED.includes(finding.code) ? 5 : checkRow(finding.name).failsAs

const toCheck = (finding: Finding, simulated: boolean): Check => {
  const { trusted } = checkRow(finding.name)
  return { ...finding, trusted_for: simulated && trusted === 'amd' ? 'simulated root' : trusted }
}
