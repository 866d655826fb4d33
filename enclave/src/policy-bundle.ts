import { type DataPolicy, parseAdmissionList, type Registry } from '@parley/guardian'
import type { JsonObject, ProfileName } from '@parley/protocol'
import { readDataPolicy } from './policy/data-policy.js'
import { readGuardianPolicies } from './policy/guardian-policies.js'
import { type Limits, parseLimits } from './policy/limits.js'
import {
  hashPolicyFiles,
  parsedOr,
  policyMalformed,
  type PolicyFiles,
  readPolicyFiles,
  readPolicyObject,
} from './policy/policy-files.js'
import {
  checkSurfaces,
  type HostedName,
  parseProfileDescriptor,
  type Profile,
  profileOf,
} from './policy/profile.js'
import { type Provider, readProviders } from './policy/providers.js'
import { readRegistry, SHIPPED_REGISTRY } from './policy/read-registry.js'

export type { Limits } from './policy/limits.js'
export type { Profile } from './policy/profile.js'

const LAYOUT =
  /^(?:(?:limits|registry-admission|providers|engines|residency|egress|profiles\/[a-z0-9-]{1,64})\.json|providers\/[a-z0-9-]{1,64}\.(?:pem|json)|cedar\/(?:schema\.cedarschema|[a-z0-9-]{1,64}\.cedar))$/

/** A directory of policy, read once and known by one hash. */
export type PolicyBundle<Name extends ProfileName = HostedName> = {
  /** Digest of `{path: digest of the file, …}`. */
  readonly hash: string
  readonly limits: Limits
  /** What the operator admits of the registry, whose root hash the bundle pins. */
  readonly registry: Registry
  /** The admitted policy objects by their digest. */
  readonly guardianPolicies: ReadonlyMap<string, JsonObject>
  /** Digest of the policy that applies where a contract names none. */
  readonly defaultGuardianPolicy: string
  /** The model providers that may be asked. */
  readonly providers: readonly Provider[]
  /** To which engines, places and hosts data may go. */
  readonly data: DataPolicy
  readonly profile: Profile<Name>
}

/**
 * Loads a policy bundle for one profile.
 * @param directory holds `limits.json`, `registry-admission.json`, `profiles/NAME.json`, `providers.json` with
 * `providers/NAME.pem` and `providers/NAME.json` where it names any, `engines.json`, `residency.json` and `egress.json`, and nothing else
 * @param registry the directory of the registry that the admission list pins
 * @throws RelayError `policy_malformed`, naming the file; `surface_missing`
 */
export function loadPolicyBundle<Name extends ProfileName>(
  directory: string,
  profile: Name,
  registry: string = SHIPPED_REGISTRY,
): PolicyBundle<Name> {
  return readPolicyBundle(readPolicyFiles(directory), profile, registry)
}

/**
 * The same from files in memory.
 * @throws RelayError `policy_malformed`, `surface_missing`
 */
export function readPolicyBundle<Name extends ProfileName>(
  files: PolicyFiles,
  name: Name,
  registryDirectory: string = SHIPPED_REGISTRY,
): PolicyBundle<Name> {
  // A file that no one reads would be hashed as if it governed something.
  for (const path of files.keys()) if (!LAYOUT.test(path)) throw policyMalformed(path, 'has no place here')
  const value = readPolicyObject(files, `profiles/${name}.json`)
  const descriptor = parseProfileDescriptor(name, value)
  checkSurfaces(descriptor)
  const registry = admittedRegistry(files, registryDirectory)
  const defaultGuardianPolicy = registry.resolve('policy', descriptor.guardian_policy)
  if (defaultGuardianPolicy === undefined)
    throw policyMalformed(`profiles/${name}.json`, 'names a guardian policy that is not admitted')
  const providers = readProviders(files)
  return {
    hash: hashPolicyFiles(files),
    limits: parseLimits(readPolicyObject(files, 'limits.json')),
    registry,
    guardianPolicies: readGuardianPolicies(registry),
    defaultGuardianPolicy,
    providers,
    data: readDataPolicy(files, providers),
    profile: profileOf(value, name),
  }
}

function admittedRegistry(files: PolicyFiles, directory: string): Registry {
  const path = 'registry-admission.json'
  const value = readPolicyObject(files, path)
  return readRegistry(
    directory,
    parsedOr(path, () => parseAdmissionList(value)),
  )
}
