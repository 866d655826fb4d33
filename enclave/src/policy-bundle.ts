import { type DataPolicy, isBundlePath, parseAdmissionList, type Registry } from '@parley/guardian'
import type { JsonObject, ProfileName } from '@parley/protocol'
import { readAuthorities } from './policy/authorities.js'
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
  /** The DIDs of those who may give a confidential relay its secrets. */
  readonly authorities: readonly string[]
  /** To which engines, places and hosts data may go. */
  readonly data: DataPolicy
  /** The files of the rules on effects, by their path. */
  readonly cedar: PolicyFiles
  readonly profile: Profile<Name>
}

/**
 * Loads a policy bundle for one profile.
 * @param directory holds `limits.json`, `registry-admission.json`, `profiles/NAME.json`, `providers.json` with
 * `providers/NAME.pem` and `providers/NAME.json` where it names any, `provisioning.json` where secrets are provisioned, `engines.json`, `residency.json` and `egress.json`, and nothing else
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
  for (const path of files.keys()) if (!isBundlePath(path)) throw policyMalformed(path, 'has no place here')
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
    authorities: readAuthorities(files),
    data: readDataPolicy(files, providers),
    cedar: new Map([...files].filter(([path]) => path.startsWith('cedar/'))),
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
