import {
  checkEngineKinds,
  CLOSED_DATA_POLICY,
  type DataPolicy,
  parseEgressPolicy,
  parseEnginePolicy,
  parseResidencyPolicy,
} from '@parley/guardian'
import type { JsonValue } from '@parley/protocol'
import { parsedOr, type PolicyFiles, readPolicyObject } from './policy-files.js'
import type { Provider } from './providers.js'

const ENGINES = 'engines.json'

/**
 * Reads `engines.json`, `residency.json` and `egress.json`. What a bundle does not say is closed: no engine, no other
 * place, no host.
 * @param providers of the same bundle; an engine that bears a provider's name must be what that provider is
 * @throws RelayError `policy_malformed`, naming the file
 * @see protocol SPEC "Classification and egress"
 */
export function readDataPolicy(files: PolicyFiles, providers: readonly Provider[]): DataPolicy {
  const read = <T>(path: string, parse: (value: JsonValue) => T, closed: T): T =>
    files.has(path) ? parsedOr(path, () => parse(readPolicyObject(files, path))) : closed
  const engines = read(ENGINES, parseEnginePolicy, CLOSED_DATA_POLICY.engines)
  parsedOr(ENGINES, () => {
    checkEngineKinds(engines, providers)
  })
  return {
    engines,
    residency: read('residency.json', parseResidencyPolicy, CLOSED_DATA_POLICY.residency),
    egress: read('egress.json', parseEgressPolicy, CLOSED_DATA_POLICY.egress),
  }
}
