import { parseGuardianPolicy, type Registry } from '@parley/guardian'
import type { JsonObject } from '@parley/protocol'
import { parsedOr } from './policy-files.js'

/**
 * The guardian policies that a registry admits, by their hash.
 * @throws RelayError `policy_malformed` if one of them is no policy
 */
export function readGuardianPolicies(registry: Registry): ReadonlyMap<string, JsonObject> {
  const policies = new Map<string, JsonObject>()
  for (const { hash } of registry.list('policy')) {
    const policy = registry.artefact('policy', hash)
    if (policy === undefined) continue
    parsedOr(`registry policy ${hash}`, () => parseGuardianPolicy(policy))
    policies.set(hash, policy)
  }
  return policies
}
