import type { Check } from '@parley/attestation'
import type { CheckName } from '../check-table.js'
import type { FailureCode } from '../failure-code.js'
import type { Verdict } from '../verdict.js'
import { AR4SI, type Tier, tierOf, type TrustClaim, type TrustVector } from './ar4si.js'
import { asJson, shownChecks, statusOf, type Submod } from './submod.js'

type Row = { readonly claim: TrustClaim; readonly failed: number; readonly tier: Tier }

const row = (claim: TrustClaim, failed: number, tier = tierOf(failed)): Row => ({ claim, failed, tier })

// What a failed expectation means to somebody who reads no codes of ours. What has no row is of the configuration.
const ROWS: Readonly<Record<string, Row>> = {
  report_data: row('instance-identity', AR4SI.unrecognized),
  // The host spoke, not the guest.
  asked_by_guest: row('instance-identity', AR4SI.contraindicated),
  chip_id: row('instance-identity', AR4SI.unrecognized),
  csp_id: row('instance-identity', AR4SI.unrecognized),
  report_id: row('instance-identity', AR4SI.unrecognized),
  chip_id_denied: row('instance-identity', AR4SI.contraindicated),
  products: row('hardware', AR4SI.contraindicated),
  signing_keys: row('hardware', AR4SI.contraindicated),
  report_versions: row('hardware', AR4SI.unsafe),
  tcb_minimum: row('hardware', AR4SI.unsafe),
  committed_tcb_minimum: row('hardware', AR4SI.unsafe),
  current_tcb_minimum: row('hardware', AR4SI.unsafe),
  launch_tcb_minimum: row('hardware', AR4SI.unsafe),
  tcb_order: row('hardware', AR4SI.unsafe),
  tcb_floor_list: row('hardware', AR4SI.unsafe),
  current_version_minimum: row('hardware', AR4SI.unsafe),
  committed_version_minimum: row('hardware', AR4SI.unsafe),
  committed_equals_current: row('hardware', AR4SI.unsafe),
  mitigations: row('hardware', AR4SI.unsafe),
  platform_info: row('hardware', AR4SI.unsafe),
  leaf_age: row('hardware', AR4SI.unsafe),
  crl: row('hardware', AR4SI.unsafe),
  boot_events: row('executables', AR4SI.contraindicated),
  boot_uki: row('executables', AR4SI.unrecognizedExecutables, 'contraindicated'),
  boot_command_line: row('executables', AR4SI.unrecognizedExecutables, 'contraindicated'),
  boot_root: row('executables', AR4SI.unsafe),
  guest_svn_minimum: row('executables', AR4SI.unsafe),
  // AR4SI only warns of code that nobody knows. A policy named the code that it wants, and this is not it.
  measurement: row('executables', AR4SI.unrecognizedExecutables, 'contraindicated'),
}
const CONFIGURATION = row('configuration', AR4SI.contraindicated)

const rowOf = (name: string): Row => ROWS[name] ?? CONFIGURATION

// Nobody knows the root, the product or the kind of key. A revoked certificate is known, and known to be bad. All else
// that is not genuine is a failed proof.
const UNRECOGNIZED: readonly FailureCode[] = [
  'root_not_pinned',
  'collateral_missing',
  'product_unsupported',
  'signing_key_unsupported',
]

/** `cpu0`: the secure processor and what it measured. */
export const cpuSubmod = (verdict: Verdict): Submod => {
  const { vector, failures, complete } = appraise(verdict)
  return {
    status: statusOf(vector, failures, complete),
    vector,
    claims: {
      simulated: verdict.simulated,
      claims: verdict.claims,
      checks: shownChecks(verdict.hardware),
      waived: asJson(verdict.waivers),
      any: asJson(verdict.anys),
    },
  }
}

type Appraised = {
  readonly vector: TrustVector
  readonly failures: readonly Tier[]
  readonly complete: boolean
}

const appraise = (verdict: Verdict): Appraised => {
  const { checks } = verdict
  const genuine = checks.find(({ name }) => name === 'hardware_genuine')
  if (genuine?.result === 'failed') return unknownHardware(valueOf(genuine.code))
  if (genuine?.result !== 'passed') return { vector: {}, failures: [], complete: false }
  return hasFailed(checks, 'root_accepted') ? unknownHardware(AR4SI.unrecognized) : ofGenuine(verdict)
}

const valueOf = (code: Verdict['checks'][number]['code']): number => {
  if (code === 'certificate_revoked') return AR4SI.contraindicated
  return UNRECOGNIZED.some((each) => each === code) ? AR4SI.unrecognized : AR4SI.cryptoFailed
}

const hasFailed = (checks: Verdict['checks'], check: CheckName): boolean =>
  checks.some(({ name, result }) => name === check && result === 'failed')

const unknownHardware = (value: number): Appraised => ({
  vector: { hardware: value, 'instance-identity': value },
  failures: [],
  complete: false,
})

const ofGenuine = (verdict: Verdict): Appraised => {
  const { hardware } = verdict
  const failed = hardware.filter(({ result }) => result === 'failed')
  const skipped = hardware.filter(({ result }) => result === 'waived' || result === 'not_run')
  const claimed = without(affirmed(verdict), skipped)
  return {
    vector: { ...claimed, ...worstOf(failed) },
    failures: failed.map(({ name }) => rowOf(name).tier),
    complete: hardware.length > 0 && skipped.length === 0,
  }
}

const affirmed = ({ checks, hardware, claims }: Verdict): TrustVector => ({
  hardware: AR4SI.affirmed,
  'instance-identity': hasFailed(checks, 'report_data') ? AR4SI.unrecognized : AR4SI.affirmed,
  ...(hardware.length === 0 ? {} : { configuration: AR4SI.affirmed, executables: executables(claims) }),
  ...opaque(hardware.find(({ name }) => name === 'debug')?.result),
})

// Where the measurement ends at the firmware, nobody looked at the program.
const executables = ({ app }: Verdict['claims']): number =>
  app.status === 'not_run' ? AR4SI.unsafe : AR4SI.affirmed

// The host can't read the memory of a guest that may not be debugged.
const opaque = (debug: Check['result'] | undefined): TrustVector => {
  if (debug === 'passed') return { 'runtime-opaque': AR4SI.affirmed }
  return debug === 'failed' ? { 'runtime-opaque': AR4SI.contraindicated } : {}
}

// What somebody waived, nobody affirms.
const without = (vector: TrustVector, skipped: readonly Check[]): TrustVector => {
  const claims: readonly string[] = skipped.map(({ name }) => rowOf(name).claim)
  return Object.fromEntries(Object.entries(vector).filter(([claim]) => !claims.includes(claim)))
}

const worstOf = (failed: readonly Check[]): TrustVector => {
  const rows = failed.map(({ name }) => rowOf(name))
  return Object.fromEntries(
    rows.map(({ claim }) => [
      claim,
      Math.max(...rows.filter((each) => each.claim === claim).map((each) => each.failed)),
    ]),
  )
}
