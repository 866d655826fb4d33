import type { Terms } from '@parley/attestation'
import { type Bundle, type Evidence, hash, keysetLeaf } from '@parley/protocol'
import type { CheckName } from '../check-table.js'
import { asOne, derived, failed, type Finding, notRun, same, stated, type Statement } from '../finding.js'
import type { ProviderExpectations, VerifierPolicy } from '../policy.js'
import { meets } from '../reference-value.js'
import { toSeconds } from '../to-seconds.js'
import { apart, appraiseBinding } from './appraise-binding.js'
import type { HardwareAppraisal } from './appraise-hardware.js'
import { checkWindow, levelOf } from './check-expectations.js'
import { relayKeys, type RelayKeys } from './read-bundle.js'

/** What the evidence of a provider came to. */
export type ProviderCheck = {
  readonly findings: readonly Finding[]
  /** Whether it was appraised, and is what the policy expects. */
  readonly attested: boolean
  /** Whether its chain ends in an extra root of the caller. */
  readonly simulated: boolean
}

/**
 * Step 11 of SPEC §16: the evidence of the provider that the relay asked is the one that the receipt names, and shows
 * what the policy expects of a provider. That the prompt was sealed to it is the relay's word.
 */
export const checkProvider = async (
  { receipt, provider_evidence: evidence }: Bundle,
  policy: VerifierPolicy,
  terms: Terms,
): Promise<ProviderCheck> => {
  const digest = evidence === null ? null : hash(evidence)
  const named = stated('provider_named', [
    same(digest, receipt.provider_evidence, 'provider_mismatch', 'provider_evidence'),
  ])
  if (named.result === 'failed') return unjudged([named])
  if (evidence === null) return unjudged(notRunAs('provider_not_attested', ['provider_named', ...JUDGED]))
  if (policy.provider === null) return unjudged([named, ...notRunAs('provider_not_expected', JUDGED)])
  const judged = await judge(evidence, policy.provider, policy, terms)
  return { ...judged, findings: [named, ...judged.findings] }
}

const JUDGED = ['provider_evidence', 'provider_expected'] as const satisfies readonly CheckName[]

const notRunAs = (
  code: 'provider_not_attested' | 'provider_not_expected',
  names: readonly CheckName[],
): readonly Finding[] => names.map((name) => notRun(name, code))

const unjudged = (findings: readonly Finding[]): ProviderCheck => ({
  findings,
  attested: false,
  simulated: false,
})

const judge = async (
  evidence: Evidence,
  expected: ProviderExpectations,
  policy: VerifierPolicy,
  terms: Terms,
): Promise<ProviderCheck> => {
  const { keyset, nonce, binding } = evidence
  const relay = keysOf(evidence)
  if ('result' in relay) return unjudged([relay])
  const appraisal = await appraiseBinding({
    binding,
    leaf: keysetLeaf(keyset, nonce),
    relay,
    // What is expected of the relay's boot is not expected of a provider's.
    policy: { ...policy, hardware: expected.hardware, boot: null },
    terms,
  })
  const findings = findingsOf(appraisal, evidence, expected, terms)
  return {
    findings,
    attested: findings.every(({ result }) => result === 'passed'),
    simulated: appraisal.simulated,
  }
}

const keysOf = ({ keyset }: Evidence): RelayKeys | Finding =>
  // Its own word is all that a provider of the software lane has.
  keyset.lane === 'confidential'
    ? derived('provider_evidence', () => relayKeys(keyset))
    : failed('provider_evidence', 'lane_mismatch', 'lane')

const findingsOf = (
  appraisal: HardwareAppraisal,
  { keyset }: Evidence,
  { image_digest, policy_bundle_hash }: ProviderExpectations,
  { now }: Terms,
): readonly Finding[] => {
  const { release } = keyset
  const { proven, expected } = apart(appraisal.findings)
  const statements: readonly Statement[] = [
    { holds: levelOf(appraisal) === 'TEE_ATTESTED', code: 'assurance_too_low', what: 'launch and app' },
    {
      holds: release.image_digest !== null && meets(image_digest, release.image_digest),
      code: 'value_unexpected',
      what: 'image_digest',
    },
    {
      holds: meets(policy_bundle_hash, release.policy_bundle_hash),
      code: 'value_unexpected',
      what: 'policy_bundle_hash',
    },
  ]
  return [
    asOne('provider_evidence', proven),
    asOne('provider_expected', [
      ...expected,
      checkWindow(keyset, toSeconds(now)),
      stated('provider_expected', statements),
    ]),
  ]
}
