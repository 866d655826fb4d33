import type { Terms } from '@parley/attestation'
import { type Evidence, keysetLeaf } from '@parley/protocol'
import type { VerifierPolicy } from '../policy.js'
import { toSeconds } from '../to-seconds.js'
import type { AssuranceLevel } from '../verdict.js'
import { appraiseBinding } from './appraise-binding.js'
import type { HardwareAppraisal } from './appraise-hardware.js'
import { checkExpectations, levelOf, valuesLeftOpen } from './check-expectations.js'
import type { RelayKeys } from './read-bundle.js'

/** An evidence document with the keys of its keyset, and what it is judged by. */
export type DocumentToAppraise = {
  readonly evidence: Evidence
  readonly relay: RelayKeys
  readonly policy: VerifierPolicy
  readonly terms: Terms
  /** Whether the evidence of the provider that was asked has been appraised as expected. */
  readonly providerAttested?: boolean
}

/** What an evidence document bears out. */
export type DocumentAppraisal = HardwareAppraisal & { readonly level: AssuranceLevel | null }

/** Step 2 of SPEC §16, and what the policy expects of the relay: the same for a bundle and before a seal. */
export const appraiseDocument = async (input: DocumentToAppraise): Promise<DocumentAppraisal> => {
  const { evidence, relay, policy, terms } = input
  const { keyset, nonce, binding } = evidence
  const nowSeconds = toSeconds(terms.now)
  const appraisal = await appraiseBinding({ binding, leaf: keysetLeaf(keyset, nonce), relay, policy, terms })
  const level = levelOf(appraisal, input.providerAttested)
  return {
    ...appraisal,
    level,
    findings: [...appraisal.findings, ...checkExpectations(keyset, policy, { nowSeconds, level })],
    anys: [...valuesLeftOpen(policy), ...appraisal.anys],
    waivers: [...policy.waive, ...(policy.hardware?.waive ?? [])],
  }
}
