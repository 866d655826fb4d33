import type { GuardianPolicy } from '@parley/guardian'
import { hash, type JsonObject, toHex } from '@parley/protocol'
import type { ModelProvider } from '../model/model-provider.js'
import { RELEASE_VERSION } from '../release-version.js'
import type { ApiConfig } from './api-config.js'
import { GIT_SHA } from './receipt-figures.js'

/** What the relay tells everybody of itself. */
export type Told = {
  readonly config: ApiConfig
  readonly publicKey: Uint8Array
  readonly providers: ReadonlyMap<string, ModelProvider>
  /** By hash; the first one applies where a contract names none. */
  readonly policies: ReadonlyMap<string, GuardianPolicy>
  readonly defaultPolicy: GuardianPolicy
  readonly schemaHashes: readonly string[]
}

/** `GET /health`. Clients take the key of receipts from here, where they have no better place. */
export function health({ config, publicKey, providers, policies, defaultPolicy }: Told): JsonObject {
  const [first] = providers.keys()
  const provider = config.default_provider ?? first ?? 'none'
  return {
    status: 'ok',
    version: RELEASE_VERSION,
    git_sha: GIT_SHA,
    execution_lane: 'API_MEDIATED',
    provider: config.dev ? provider : 'redacted',
    // A contract's profile names the model: the relay has none of its own.
    model_id: config.dev ? 'by_profile' : 'redacted',
    verifying_key_hex: toHex(publicKey),
    policy_summary: {
      policy_id: defaultPolicy.policy_id,
      policy_hash: hash(defaultPolicy),
      model_profile_allowlist: defaultPolicy.model_profile_allowlist,
      enforcement_rules: defaultPolicy.rules.map(({ rule_id }) => rule_id),
    },
    loaded_policy_hashes: [...policies.keys()],
  }
}

/** AgentVault's purposes. */
const PURPOSES = ['COMPATIBILITY', 'SCHEDULING', 'MEDIATION', 'NEGOTIATION', 'SCHEDULING_COMPAT_V1']

/** Every rule type that a policy here may have, each enforced. */
const RULE_TYPES = [
  'unicode_category_reject',
  'numeric_string_reject',
  'pattern_reject',
  'canary_reject',
] as const satisfies readonly GuardianPolicy['rules'][number]['type'][]

/** `GET /capabilities`. */
export function capabilities({ providers, policies, schemaHashes }: Told): JsonObject {
  return {
    execution_lane: 'API_MEDIATED',
    providers: [...providers.keys()],
    purposes: PURPOSES,
    // The mode of a contract that names none; a contract's Gate is held before its session opens.
    entropy_enforcement: 'ADVISORY',
    receipt_schema_version: '1.0.0',
    enforcement_capabilities: RULE_TYPES.map((type) => `enforcement.${type}.v1`),
    available_schema_hashes: [...schemaHashes],
    available_policy_hashes: [...policies.keys()],
  }
}
