import {
  admitContract,
  describeRefused,
  type Evaluator,
  type GuardianPolicy,
  OutputShapeCache,
  type Registry,
} from '@parley/guardian'
import type { Contract, JsonValue } from '@parley/protocol'
import type { ModelProvider } from '../model/model-provider.js'
import type { AgreedContract } from './agreed-contract.js'
import { type Refusal, refuse } from './answer.js'
import type { ApiConfig } from './api-config.js'
import { readContract, type ReadContract } from './read-contract.js'

// A `local` model runs inside a confidential VM, which this lane is not.
const EVALUATORS: readonly Evaluator[] = ['cel', 'llm']
const REMEMBERED_SHAPES = 64

/** What contracts are held against. */
export type AdmissionGround = {
  readonly config: ApiConfig
  /** By hash. */
  readonly policies: ReadonlyMap<string, GuardianPolicy>
  readonly defaultPolicy: GuardianPolicy
  readonly registry: Registry
  readonly providers: ReadonlyMap<string, ModelProvider>
  readonly verifyingKeyHex: string
  /** Octets of a canonical contract. */
  readonly contractBytes: number
}

/**
 * Admission as AgentVault's relay should have it: all of it when a session or an invite is created, so that nobody
 * hands an input to a contract that cannot run.
 */
export function createAgentVaultAdmission(
  ground: AdmissionGround,
): (contract: JsonValue, provider: string | undefined) => AgreedContract | Refusal {
  const shapes = new OutputShapeCache(REMEMBERED_SHAPES)
  return (value, asked) => {
    const read = readContract(value, ground.contractBytes)
    if ('refused' in read) return read
    const { contract } = read
    const no = relayRefusal(ground, contract)
    if (no !== undefined) return no
    const policy = policyOf(ground, contract)
    if ('refused' in policy) return policy
    const { registry } = ground
    const admission = admitContract({ contract, policy, registry, evaluators: EVALUATORS, shapes })
    if (!admission.ok) return refuse('contract_refused', describeRefused(admission))
    shapes.keep(admission.admitted)
    return withProvider(ground, read, admission.admitted, asked)
  }
}

/** What the contract asks of this relay rather than of any. */
function relayRefusal({ verifyingKeyHex, config }: AdmissionGround, contract: Contract): Refusal | undefined {
  if ((contract.relay_verifying_key_hex ?? verifyingKeyHex) !== verifyingKeyHex)
    return refuse('contract_refused', 'relay_verifying_key_hex is not the key of this relay')
  for (const member of ['session_ttl_secs', 'invite_ttl_secs'] as const) {
    const asked = contract[member]
    if (asked !== undefined && asked > config[member])
      return refuse(
        'contract_refused',
        `contract ${member} (${asked}) exceeds relay maximum (${config[member]})`,
      )
  }
  return undefined
}

function policyOf(
  { policies, defaultPolicy }: AdmissionGround,
  contract: Contract,
): GuardianPolicy | Refusal {
  const { enforcement_policy_hash: named } = contract
  const policy = named === undefined ? defaultPolicy : policies.get(named)
  if (policy === undefined) return refuse('contract_refused', 'enforcement_policy_hash is not available')
  // Both sides read one output here, and its receipt holds it.
  return policy.rules.some(({ type }) => type === 'recipient_narrowing')
    ? refuse('contract_refused', 'a policy with recipient_narrowing cannot be kept by this API')
    : policy
}

function withProvider(
  { providers, config }: AdmissionGround,
  { contract, contractHash, participants, contractBytes }: ReadContract,
  admitted: AgreedContract['admitted'],
  asked: string | undefined,
): AgreedContract | Refusal {
  const name = admitted.model?.profile.provider
  // `anthropic` is what AgentVault's clients send where they have no wish.
  if (asked !== undefined && asked !== '' && asked !== 'anthropic' && !providers.has(asked))
    return refuse(
      'contract_refused',
      `provider ${JSON.stringify(asked.slice(0, 64))} is not configured on this relay`,
    )
  const provider = name === undefined ? null : providers.get(name)
  if (provider === undefined)
    return refuse('contract_refused', `provider "${name ?? ''}" is not configured on this relay`)
  const cap = admitted.model?.maxCompletionTokens ?? config.max_completion_tokens
  return {
    contractHash,
    participants,
    contractBytes,
    admitted,
    provider,
    providerName: name ?? 'cel',
    sessionTtlSecs: contract.session_ttl_secs ?? config.session_ttl_secs,
    inviteTtlSecs: contract.invite_ttl_secs ?? config.invite_ttl_secs,
    maxCompletionTokens: admitted.model === null ? 0 : Math.min(cap, config.max_completion_tokens),
  }
}
