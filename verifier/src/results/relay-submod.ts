import type { CheckName } from '../check-table.js'
import type { Verdict } from '../verdict.js'
import { AR4SI, type Tier, type TrustClaim, type TrustVector } from './ar4si.js'
import { asJson, shownChecks, statusOf, type Submod } from './submod.js'

// Where the processor is not as expected, these follow and say nothing new.
const OF_CPU: readonly CheckName[] = ['hardware_expected', 'hardware_path_expected', 'assurance']

// What stands between a receipt key and its owner, and what each failure means.
const IDENTITY = [
  ['evidence_binding', AR4SI.cryptoFailed],
  ['relay_receipt_key', AR4SI.unrecognized],
  ['report_data', AR4SI.unrecognized],
  ['keyset_window', AR4SI.contraindicated],
  ['evidence_nonce', AR4SI.contraindicated],
] as const satisfies readonly (readonly [CheckName, number])[]
const CONFIGURATION: readonly CheckName[] = ['relay_policy_bundle_hash', 'relay_profile_hash']
const EXECUTABLES: readonly CheckName[] = ['relay_version', 'relay_image_digest']

/**
 * `relay`: the program, its keys and its release, and in a bundle the session that they ran.
 * @param cpu the status of the processor: a relay is never better than a bad one
 */
export const relaySubmod = (
  verdict: Verdict,
  digests: Readonly<Record<string, string>>,
  cpu: Tier,
): Submod => {
  const vector = vectorOf(verdict)
  return {
    status: statusOf(vector, failures(verdict, cpu), verdict.trusted),
    vector,
    claims: {
      ...digests,
      procedure: verdict.procedure,
      trusted: verdict.trusted,
      exit_code: verdict.exit_code,
      assurance_level: verdict.assurance_level,
      simulated: verdict.simulated,
      lane: verdict.lane,
      session_id: verdict.session_id,
      outcome: verdict.outcome,
      checks: shownChecks(verdict.checks),
      waived: asJson(verdict.waivers),
      any: asJson(verdict.anys),
    },
  }
}

const failures = ({ checks }: Verdict, cpu: Tier): readonly Tier[] => {
  const failed = checks.filter(({ result }) => result === 'failed').map(({ name }) => name)
  const known = failed.includes('hardware_expected') ? OF_CPU : []
  return [
    ...(failed.some((name) => !known.includes(name)) ? (['contraindicated'] as const) : []),
    ...(cpu === 'warning' || cpu === 'contraindicated' ? [cpu] : []),
  ]
}

const vectorOf = (verdict: Verdict): TrustVector => {
  const { checks, anys, assurance_level, simulated } = verdict
  const failed = checks.filter(({ result }) => result === 'failed').map(({ name }) => name)
  const held = checks.filter(({ result }) => result === 'passed').map(({ name }) => name)
  // Nothing vouches for a relay whose root nobody accepts.
  if (simulated && !held.includes('root_accepted')) return {}
  // Where nothing holds, only what broke is told.
  if (assurance_level === null) return claimed({ 'instance-identity': identity(failed, []) })
  const open: readonly string[] = anys.map(({ check }) => check)
  const approve = (names: readonly CheckName[], value: number, refused: number): number | null => {
    if (names.some((name) => failed.includes(name))) return refused
    return names.length > 0 && names.every((name) => held.includes(name)) ? value : null
  }
  // Where no hardware measured the program, it is the relay's own word.
  const proven = assurance_level === 'SELF_ASSERTED' ? AR4SI.unsafe : AR4SI.affirmed
  const named = CONFIGURATION.filter((name) => !open.includes(name))
  return claimed({
    'instance-identity': identity(failed, held),
    configuration: approve(named, AR4SI.affirmed, AR4SI.contraindicated),
    executables: approve(EXECUTABLES, proven, AR4SI.unrecognizedExecutables),
  })
}

const identity = (failed: readonly CheckName[], held: readonly CheckName[]): number | null => {
  const broken = IDENTITY.filter(([name]) => failed.includes(name)).map(([, value]) => value)
  if (broken.length > 0) return Math.max(...broken)
  return held.includes('evidence_binding') && held.includes('relay_receipt_key') ? AR4SI.affirmed : null
}

const claimed = (values: Readonly<Partial<Record<TrustClaim, number | null>>>): TrustVector =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
