import {
  type AdmittedContract,
  admitContract,
  describeRefused,
  type Evaluator,
  OutputShapeCache,
  parseGuardianPolicy,
} from '@parley/guardian'
import { canonicalBytes, type Contract, contractHash, ProtocolError, toHex } from '@parley/protocol'
import type { ModelService, ModelServices } from '../model/model-service.js'
import { putLast } from '../put-last.js'
import { type ReleaseBytes, releaseBytes } from '../release/release-bytes.js'
import { refuse, type Refused } from './refuse.js'
import type { SessionDeps } from './session-deps.js'

/** A contract that was checked in full, and what follows from it alone. */
export type Agreement = {
  /** Canonical: a graph of small objects is many times as large, and a session may live for a day. */
  readonly contractBytes: Uint8Array
  readonly contractHash: string
  readonly participants: Contract['participants']
  readonly admitted: Omit<AdmittedContract, 'contract'>
  /** Whom a contract's model is asked of; null where a program evaluates. */
  readonly service: ModelService | null
  readonly bytes: ReleaseBytes
}

/** Turns contracts into agreements, before any input is accepted. */
export type Admit = (contract: Contract) => Agreement | Refused

const REMEMBERED_SHAPES = 64
const REMEMBERED_AGREEMENTS = 64

/** @throws ProtocolError object_malformed if a policy of the bundle is not one */
export function createAdmission(deps: SessionDeps): Admit {
  const { guardianPolicies, defaultGuardianPolicy } = deps.bundle
  const policies = new Map([...guardianPolicies].map(([hash, policy]) => [hash, parseGuardianPolicy(policy)]))
  const shapes = new OutputShapeCache(REMEMBERED_SHAPES)
  const receiptKeyHex = toHex(deps.keys.receiptKey.publicKey)
  const admit = (contract: Contract, hash: string): Agreement | Refused => {
    if ((contract.relay_verifying_key_hex ?? receiptKeyHex) !== receiptKeyHex)
      return refuse('contract_refused', 'relay_key_mismatch /relay_verifying_key_hex')
    const policy = policies.get(contract.enforcement_policy_hash ?? defaultGuardianPolicy)
    if (policy === undefined) return refuse('contract_refused', 'policy_unknown /enforcement_policy_hash')
    const asked = {
      contract,
      policy,
      shapes,
      registry: deps.bundle.registry,
      evaluators: evaluatorsOf(deps.models),
    }
    const admission = admitContract(asked)
    if (!admission.ok) return refuse('contract_refused', describeRefused(admission))
    const agreement = sized(deps, hash, admission.admitted)
    if (!('refused' in agreement)) shapes.keep(admission.admitted)
    return agreement
  }
  return remembering(deps.models, admit)
}

/** A program is always to be had, a model where there is somebody to ask. */
const evaluatorsOf = (models: ModelServices): readonly Evaluator[] => {
  const kinds = [...models.keys()]
  return [
    'cel',
    ...(kinds.some((kind) => kind !== 'local') ? (['llm'] as const) : []),
    ...(kinds.includes('local') ? (['local'] as const) : []),
  ]
}

/** All of an agreement follows from contract and relay: the same contract need not be counted and measured again. */
const remembering = (
  models: ModelServices,
  admit: (contract: Contract, hash: string) => Agreement | Refused,
): Admit => {
  const kept = new Map<string, Agreement>()
  return (contract) => {
    const hash = contractHash(contract)
    const known = kept.get(hash)
    const agreement = known !== undefined && isServed(models, known) ? known : admit(contract, hash)
    // Only what was admitted is worth keeping: callers choose the contracts.
    if ('refused' in agreement) return agreement
    putLast(kept, hash, agreement, REMEMBERED_AGREEMENTS)
    return agreement
  }
}

/** Secrets come and go while a relay runs, and with them whom a contract's model is asked of. */
const isServed = (models: ModelServices, { service }: Agreement): boolean =>
  service === null || [...models.values()].includes(service)

const sized = (
  deps: SessionDeps,
  hash: string,
  { contract, ...admitted }: AdmittedContract,
): Agreement | Refused => {
  const { participants } = contract
  const provider = admitted.model?.profile.provider
  const service = provider === undefined ? null : deps.models.get(provider)
  if (service === undefined) return refuse('contract_refused', 'evaluator_unavailable /model_profile_hash')
  const contractBytes = canonicalBytes(contract)
  const agreement = { contractBytes, contractHash: hash, participants, admitted, service }
  try {
    return { ...agreement, bytes: releaseBytes(deps, agreement) }
  } catch (error) {
    // A result that fits no size class could never be answered.
    if (error instanceof ProtocolError && error.code === 'too_large') return refuse('too_large')
    throw error
  }
}
