import {
  AttestationError,
  type Evidence,
  type ExtraRoot,
  failureClass,
  type Instant,
  type TpmRoot,
} from '@parley/attestation'
import { parseJson, ProtocolError } from '@parley/protocol'
import { appraiseRelay } from '../src/appraise-relay.js'
import { evidenceInFile } from '../src/evidence-in-file.js'
import { type Inspection, inspectRead } from '../src/inspect-evidence.js'
import { inspectionText } from '../src/inspection-text.js'
import { parseVerifierPolicy, type VerifierPolicy } from '../src/policy.js'
import { asciiJson, printable } from '../src/printable.js'
import type { Verdict } from '../src/verdict.js'
import { verdictText } from '../src/verdict-text.js'
import { verifyBundle } from '../src/verify-bundle.js'
import type { NamedFile, Subject } from './sort-files.js'
import { type Party, trustedParties } from './trusted-parties.js'

/** What is judged, and by what. */
export type FilesToJudge = {
  readonly subject: Subject
  readonly policy: NamedFile | null
  readonly roots: readonly NamedFile[]
  /** Roots of TPMs; none where absent. */
  readonly tpmRoots?: readonly TpmRoot[]
  readonly now: Instant
}

/** A name and a value, printable. */
export type Fact = readonly [string, string]

/** What the page shows. `text` and `json` are what the command line prints, without and with `--json`. */
export type Judgement = {
  readonly decision: 'TRUSTED' | 'NOT TRUSTED' | 'GENUINE' | 'NOT GENUINE'
  readonly simulated: boolean
  readonly exitCode: number
  readonly facts: readonly Fact[]
  readonly parties: readonly Party[]
  readonly text: string
  readonly json: string
}

/** What kept the page from judging: something that whoever sits before it can change. */
export type Obstacle = { readonly obstacle: string }

/** Judges what was chosen: with a policy in full, without one only whether evidence is genuine. Never throws. */
export const judgeFiles = async (files: FilesToJudge): Promise<Judgement | Obstacle> => {
  try {
    return await judge(files)
  } catch (error) {
    if (error instanceof AttestationError && failureClass(error.code) === 'usage')
      return { obstacle: `${error.code}: ${error.message}` }
    if (error instanceof ProtocolError) return { obstacle: `policy_malformed: ${error.message}` }
    return { obstacle: `A defect of this page, not of your files: ${String(error)}` }
  }
}

const judge = async (files: FilesToJudge): Promise<Judgement | Obstacle> => {
  const { subject, policy, tpmRoots = [], now } = files
  const roots = files.roots.map(({ bytes }): ExtraRoot => ({ certificate: bytes, simulated: true }))
  const terms = { now, roots, tpmRoots }
  const { bytes } = subject.file
  if (subject.kind === 'bundle') {
    if (policy === null) return { obstacle: 'A bundle is judged by a policy. Choose yours.' }
    return ofVerdict(await verifyBundle({ bytes, policy: readPolicy(policy), ...terms }))
  }
  if (subject.kind !== 'evidence' || policy === null) return inspect(subject, terms)
  const appraisal = await appraiseRelay({
    evidence: bytes,
    nonce: null,
    policy: readPolicy(policy),
    ...terms,
  })
  return ofVerdict(appraisal.verdict)
}

const readPolicy = ({ bytes }: NamedFile): VerifierPolicy => parseVerifierPolicy(parseJson(bytes))

const ofVerdict = (verdict: Verdict): Judgement => ({
  decision: verdict.trusted ? 'TRUSTED' : 'NOT TRUSTED',
  simulated: verdict.simulated,
  exitCode: verdict.exit_code,
  facts: factsOf(verdict),
  parties: trustedParties(verdict),
  text: verdictText(verdict),
  json: asciiJson(verdict),
})

const factsOf = (verdict: Verdict): readonly Fact[] => {
  const { assurance_level, lane, outcome, output, checks, waivers } = verdict
  return present([
    ['Assurance', assurance_level ?? 'nothing holds'],
    ['Lane', lane],
    ['Outcome', outcome?.abort_class ?? outcome?.status],
    ['Output', output === null ? null : JSON.stringify(output)],
    ['Failed', failures(checks)],
    ['Waived', waivers.map(({ check, reason }) => `${check} (${reason})`).join(', ')],
  ])
}

const factsOfReport = ({ product, report, report_version, signed_by, checks }: Inspection): readonly Fact[] =>
  present([
    ['Product', product],
    ['Report version', report_version?.toString()],
    ['Signed by, it says', signed_by],
    ['Measurement', report?.measurement],
    ['Report data', report?.report_data],
    ['Failed', failures(checks)],
  ])

type Checked = { readonly name: string; readonly result: string; readonly code?: string | null }

const failures = (checks: readonly Checked[]): string =>
  checks
    .filter(({ result }) => result === 'failed')
    .map(({ name, code }) => `${name} (${code ?? ''})`)
    .join(', ')

const present = (facts: readonly (readonly [string, string | null | undefined])[]): readonly Fact[] =>
  facts.flatMap(([name, value]) => (value ? [[name, printable(value)] as const] : []))

type Terms = { readonly now: Instant; readonly roots: readonly ExtraRoot[] }

const inspect = async (subject: Subject, terms: Terms): Promise<Judgement> => {
  const { inspection, exitCode, simulated } = await inspectRead(() => Promise.resolve(read(subject)), terms)
  return {
    decision: inspection.genuine ? 'GENUINE' : 'NOT GENUINE',
    simulated,
    exitCode,
    facts: factsOfReport(inspection),
    parties: trustedParties({ checks: [], hardware: inspection.checks }),
    text: inspectionText(inspection, simulated),
    json: asciiJson(inspection),
  }
}

const read = (subject: Subject): Evidence | null => {
  const { file } = subject
  if (!('certificates' in subject)) return evidenceInFile(file.bytes)
  const certificates = subject.certificates.map(({ bytes }) => bytes)
  const crl = subject.crl === null ? {} : { crl: subject.crl.bytes }
  if (subject.kind === 'report') return { report: file.bytes, certificates, ...crl }
  const found = evidenceInFile(file.bytes)
  return found === null ? null : { ...found, certificates: [...found.certificates, ...certificates], ...crl }
}
