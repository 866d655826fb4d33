import { AttestationError } from '@parley/attestation'
import { parseJson, ProtocolError } from '@parley/protocol'
import { parseVerifierPolicy, type VerifierPolicy } from '../policy.js'
import { readBounded } from './read-file.js'

const MAX_BYTES = 1 << 20

/**
 * The verifier policy in a JSON file.
 * @throws AttestationError `argument_invalid` where the file cannot be read, `policy_malformed`,
 * `reference_value_missing`
 */
export const readPolicyFile = async (path: string): Promise<VerifierPolicy> => {
  const bytes = await readBounded(path, MAX_BYTES)
  try {
    return parseVerifierPolicy(parseJson(bytes))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    throw new AttestationError('policy_malformed', `${path}: ${error.message}`)
  }
}
