import type { Trust } from '@parley/agent'
import type { ExtraRoot } from '@parley/attestation'
import { loadPolicyBundle } from '@parley/enclave'
import type { JsonObject, Keyset } from '@parley/protocol'
import { demoPolicy } from '../../scripts/src/demo/policy.js'
import { theProcessor } from './processor.js'
import { POLICY_DIRECTORY } from './relay.js'

/** What participants expect of a relay, known to them by another way than the host: computed from the source. */
export const policyFor = (keyset: Keyset): JsonObject => {
  const { hash, profile } = loadPolicyBundle(POLICY_DIRECTORY, keyset.lane)
  return demoPolicy({
    lane: keyset.lane,
    version: keyset.release.version,
    policyBundleHash: hash,
    profileHash: profile.hash,
    receiptKey: keyset.receipt_key,
  })
}

/** The same, with the root of the simulated chip in the confidential lane. */
export const trustOf = async (keyset: Keyset): Promise<Trust> => ({
  policy: policyFor(keyset),
  roots: keyset.lane === 'confidential' ? [(await theProcessor()).rootCertificate] : [],
})

/** Roots as the verifier's library takes them. */
export const extraRoots = ({ roots }: Trust): readonly ExtraRoot[] =>
  roots.map((certificate) => ({ certificate, simulated: true }))
