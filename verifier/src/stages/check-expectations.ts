import type { Claims, Reasoned } from '@parley/attestation'
import type { Keyset } from '@parley/protocol'
import type { CheckName } from '../check-table.js'
import { failed, type Finding, notRun, passed } from '../finding.js'
import type { VerifierPolicy } from '../policy.js'
import { meets, type ReferenceValue } from '../reference-value.js'
import type { AssuranceLevel } from '../verdict.js'
import type { HardwareAppraisal } from './appraise-hardware.js'

const BASIS: readonly CheckName[] = ['evidence_binding', 'hardware_genuine', 'report_data']
const ON_HARDWARE: readonly CheckName[] = [...BASIS, 'hardware_expected']

/**
 * The assurance that an appraisal bears out: TEE_ATTESTED where hardware vouches for launch and app, SELF_ASSERTED
 * where only the relay's own signature holds, null where the evidence does not even bind the keyset.
 * PROVIDER_ATTESTED is TEE_ATTESTED and a provider whose evidence was appraised here, too.
 */
export const levelOf = (
  { findings, claims }: HardwareAppraisal,
  providerAttested = false,
): AssuranceLevel | null => {
  const all = (names: readonly CheckName[], results: readonly Finding['result'][]): boolean =>
    names.every((name) => findings.some((each) => each.name === name && results.includes(each.result)))
  if (all(ON_HARDWARE, ['passed']) && isProven(claims))
    return providerAttested ? 'PROVIDER_ATTESTED' : 'TEE_ATTESTED'
  return all(['evidence_binding'], ['passed']) && !findings.some(breaksBasis) ? 'SELF_ASSERTED' : null
}

const isProven = ({ launch, app }: Claims): boolean => launch.status === 'passed' && app.status === 'passed'

const breaksBasis = ({ name, result }: Finding): boolean => BASIS.includes(name) && result === 'failed'

/** The time at which a keyset is judged, in Unix seconds, and what the appraisal of its evidence bore out. */
export type Judged = { readonly nowSeconds: number; readonly level: AssuranceLevel | null }

/** What a policy expects of a relay beside its hardware. */
export const checkExpectations = (
  keyset: Keyset,
  { relay, minimum_assurance }: VerifierPolicy,
  { nowSeconds, level }: Judged,
): readonly Finding[] => [
  checkWindow(keyset, nowSeconds),
  expected('relay_version', relay.version, keyset.release.version),
  expected('relay_image_digest', relay.image_digest, keyset.release.image_digest),
  expected('relay_policy_bundle_hash', relay.policy_bundle_hash, keyset.release.policy_bundle_hash),
  expected('relay_profile_hash', relay.profile_hash, keyset.release.profile_hash),
  checkReceiptKey(relay.receipt_key, keyset.receipt_key, level),
  checkAssurance(minimum_assurance, level),
]

/** Whether a keyset is valid at the time of judging, in Unix seconds. */
export const checkWindow = ({ not_before, not_after }: Keyset, nowSeconds: number): Finding => {
  if (nowSeconds < not_before) return failed('keyset_window', 'keyset_not_yet_valid', 'not_before')
  return nowSeconds > not_after
    ? failed('keyset_window', 'keyset_expired', 'not_after')
    : passed('keyset_window')
}

const expected = <T>(name: CheckName, reference: ReferenceValue<T>, actual: T): Finding =>
  meets(reference, actual) ? passed(name) : failed(name, 'value_unexpected')

// A key that came with what it is to verify proves nothing by itself: hardware or the policy must name it.
const checkReceiptKey = (
  reference: ReferenceValue<string>,
  key: string,
  level: AssuranceLevel | null,
): Finding =>
  'any' in reference && !isHardwareLevel(level)
    ? failed('relay_receipt_key', 'receipt_key_not_pinned')
    : expected('relay_receipt_key', reference, key)

// From the least to the most.
const LEVELS: readonly AssuranceLevel[] = ['SELF_ASSERTED', 'TEE_ATTESTED', 'PROVIDER_ATTESTED']

const isHardwareLevel = (level: AssuranceLevel | null): boolean => level !== null && level !== 'SELF_ASSERTED'

const checkAssurance = (minimum: AssuranceLevel, level: AssuranceLevel | null): Finding => {
  if (level === null) return notRun('assurance', 'prerequisite_failed')
  return LEVELS.indexOf(level) < LEVELS.indexOf(minimum)
    ? failed('assurance', 'assurance_too_low', level)
    : passed('assurance')
}

/** The values of the relay that a policy takes whatever they are, with its reasons. */
export const valuesLeftOpen = ({ relay }: VerifierPolicy): readonly Reasoned[] =>
  Object.entries(relay).flatMap(([member, reference]) =>
    'any' in reference ? [{ check: `relay_${member}`, reason: reference.any }] : [],
  )
