import type { JsonObject } from '@parley/protocol'
import { readGuardianPolicies } from './policy/guardian-policies.js'
import { type Limits, parseLimits } from './policy/limits.js'
import {
  hashPolicyFiles,
  policyMalformed,
  type PolicyFiles,
  readPolicyFiles,
  readPolicyObject,
} from './policy/policy-files.js'
import { checkSurfaces, parseProfileDescriptor, type Profile, profileOf } from './policy/profile.js'

export type { Limits } from './policy/limits.js'
export type { Profile } from './policy/profile.js'

const LAYOUT = /^(?:limits|(?:profiles|guardian)\/[a-z0-9-]{1,64})\.json$/

/** A directory of policy, read once and known by one hash. */
export type PolicyBundle = {
  /** Digest of `{path: digest of the file, …}`. */
  readonly hash: string
  readonly limits: Limits
  /** AgentVault policy objects by their digest. */
  readonly guardianPolicies: ReadonlyMap<string, JsonObject>
  /** Digest of the policy that applies where a contract names none. */
  readonly defaultGuardianPolicy: string
  readonly profile: Profile
}

/**
 * Loads a policy bundle for one profile.
 * @param directory holds `limits.json`, `profiles/NAME.json`, `guardian/NAME.json` and nothing else
 * @throws RelayError `policy_malformed`, naming the file; `surface_missing`
 */
export function loadPolicyBundle(directory: string, profile: Profile['name']): PolicyBundle {
  return readPolicyBundle(readPolicyFiles(directory), profile)
}

/**
 * The same from files in memory.
 * @throws RelayError `policy_malformed`, `surface_missing`
 */
export function readPolicyBundle(files: PolicyFiles, name: Profile['name']): PolicyBundle {
  // A file that no one reads would be hashed as if it governed something.
  for (const path of files.keys()) if (!LAYOUT.test(path)) throw policyMalformed(path, 'has no place here')
  const value = readPolicyObject(files, `profiles/${name}.json`)
  const descriptor = parseProfileDescriptor(name, value)
  checkSurfaces(descriptor)
  const { byHash, hashOf } = readGuardianPolicies(files)
  const defaultGuardianPolicy = hashOf.get(descriptor.guardian_policy)
  if (defaultGuardianPolicy === undefined)
    throw policyMalformed(`guardian/${descriptor.guardian_policy}.json`, 'is missing')
  return {
    hash: hashPolicyFiles(files),
    limits: parseLimits(readPolicyObject(files, 'limits.json')),
    guardianPolicies: byHash,
    defaultGuardianPolicy,
    profile: profileOf(value, name),
  }
}
