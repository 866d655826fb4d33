import { AttestationError } from '@parley/attestation'
import { hash, parseJson, ProtocolError } from '@parley/protocol'
import { parseVerifierPolicy, type VerifierPolicy } from '../policy.js'
import { readBounded } from './read-file.js'

const MAX_BYTES = 1 << 20

/** A policy, and the content address of the JSON that it was read from. */
export type PolicyFile = { readonly policy: VerifierPolicy; readonly policyDigest: string }

/**
 * The verifier policy in a JSON file.
 * @throws AttestationError `argument_invalid` where the file cannot be read, `policy_malformed`,
 * `reference_value_missing`
 */
export const readPolicyFile = async (path: string): Promise<VerifierPolicy> =>
  (await readPolicyWithDigest(path)).policy

/** The same, with its digest. */
export const readPolicyWithDigest = async (path: string): Promise<PolicyFile> => {
  const bytes = await readBounded(path, MAX_BYTES)
  try {
    const json = parseJson(bytes)
    return { policy: parseVerifierPolicy(json), policyDigest: hash(json) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AttestationError('policy_malformed', `${path}: ${error.message}`)
  }
}
