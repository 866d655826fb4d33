import { parseGuardianPolicy } from '@parley/guardian'
import { hash, type JsonObject } from '@parley/protocol'
import { parsedOr, type PolicyFiles, readPolicyObject } from './policy-files.js'

/** The guardian policies of a bundle. */
export type GuardianPolicies = {
  readonly byHash: ReadonlyMap<string, JsonObject>
  /** From the name of a file, without its ending, to the policy's digest. */
  readonly hashOf: ReadonlyMap<string, string>
}

const PLACE = /^guardian\/(?<name>[^/]+)\.json$/

/**
 * Reads every file under `guardian/`.
 * @throws RelayError `policy_malformed`
 */
export function readGuardianPolicies(files: PolicyFiles): GuardianPolicies {
  const byHash = new Map<string, JsonObject>()
  const hashOf = new Map<string, string>()
  for (const path of files.keys()) {
    const name = PLACE.exec(path)?.groups?.['name']
    if (name === undefined) continue
    const policy = readPolicyObject(files, path)
    parsedOr(path, () => parseGuardianPolicy(policy))
    byHash.set(hash(policy), policy)
    hashOf.set(name, hash(policy))
  }
  return { byHash, hashOf }
}
