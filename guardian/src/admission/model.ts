import type { Contract } from '@parley/protocol'
import type { GuardianPolicy } from '../policy/guardian-policy.js'
import type { ModelProfile } from '../prompt/model-profile.js'
import type { PromptProgram } from '../prompt/prompt-program.js'
import { type Refused, refused } from '../refused.js'
import type { Registry } from '../registry/registry.js'
import { findModelProfile, findPromptProgram, type NamedArtefactCode } from './named-artefacts.js'

/** Why a contract's model is refused. The union is closed. */
export type ModelCode =
  | NamedArtefactCode
  /** `local` is for a profile whose provider is `local`, `llm` for every other. */
  | 'provider_not_applicable'
  | 'profile_refused_by_policy'
  | 'provider_refused_by_policy'
  | 'tokens_exceed_policy'
  | 'provider_refused_by_contract'
  | 'model_refused_by_contract'
  /** No profile says what tier its model is of, so nothing here could hold a contract's least tier. */
  | 'tier_unsupported'

/** The model that a contract asks for, and what it is asked. */
export type AdmittedModel = {
  readonly promptProgram: PromptProgram
  readonly prompt_program_hash: string
  readonly profile: ModelProfile
  readonly model_profile_hash: string
  /** The lower of the contract's cap and the policy's, in tokens; null where neither states one. */
  readonly maxCompletionTokens: number | null
}

/** What a model is held against. */
export type ModelToAdmit = {
  readonly evaluator: 'llm' | 'local'
  readonly contract: Contract
  readonly policy: GuardianPolicy
  readonly registry: Registry
}

/** Admits the model of a contract: found by hash, of its evaluator, allowed by the policy and by the contract itself. */
export const admitModel = (
  asked: ModelToAdmit,
): { readonly ok: true; readonly model: AdmittedModel } | Refused<ModelCode> => {
  const { contract, registry, policy } = asked
  const prompt = findPromptProgram(contract, registry)
  if (!prompt.ok) return prompt
  const profile = findModelProfile(contract, registry)
  if (!profile.ok) return profile
  const no = refusedModel(asked, profile.found, profile.hash)
  if (no !== undefined) return no
  return {
    ok: true,
    model: {
      promptProgram: prompt.found,
      prompt_program_hash: prompt.hash,
      profile: profile.found,
      model_profile_hash: profile.hash,
      maxCompletionTokens: contract.max_completion_tokens ?? policy.max_output_tokens,
    },
  }
}

const refusedModel = (
  { evaluator, contract, policy }: ModelToAdmit,
  profile: ModelProfile,
  hash: string,
): Refused<ModelCode> | undefined => {
  if ((evaluator === 'local') !== (profile.provider === 'local'))
    return refused('provider_not_applicable', '/evaluator', `${evaluator} with provider ${profile.provider}`)
  return byPolicy(policy, profile, hash, contract) ?? byContract(contract, profile)
}

/** AgentVault's meaning: an empty allow-list allows everything. */
const byPolicy = (
  {
    model_profile_allowlist: profiles,
    provider_allowlist: providers,
    max_output_tokens: most,
  }: GuardianPolicy,
  { profile_id, provider }: ModelProfile,
  hash: string,
  { max_completion_tokens: asked }: Contract,
): Refused<ModelCode> | undefined => {
  const names = [profile_id, hash, `sha256:${hash}`]
  if (profiles.length > 0 && !profiles.some((allowed) => names.includes(allowed)))
    return refused('profile_refused_by_policy', '/model_profile_hash', profile_id)
  if (providers.length > 0 && !providers.includes(provider))
    return refused('provider_refused_by_policy', '/model_profile_hash', provider)
  if (asked !== undefined && most !== null && asked > most)
    return refused('tokens_exceed_policy', '/max_completion_tokens', `tokens ${asked} over ${most}`)
  return undefined
}

/** Empty lists allow everything here, too. */
const byContract = (
  { model_constraints: constraints }: Contract,
  { provider, model_id }: ModelProfile,
): Refused<ModelCode> | undefined => {
  if (constraints === undefined) return undefined
  const { allowed_providers: providers, allowed_models: models, min_tier } = constraints
  if (min_tier !== undefined) return refused('tier_unsupported', '/model_constraints/min_tier')
  if (providers.length > 0 && !providers.includes(provider))
    return refused('provider_refused_by_contract', '/model_constraints/allowed_providers', provider)
  if (models.length > 0 && !models.some((allowed) => isAllowed(allowed, model_id)))
    return refused('model_refused_by_contract', '/model_constraints/allowed_models', model_id)
  return undefined
}

/** A trailing `*` stands for any ending; anywhere else it stands for itself. */
const isAllowed = (allowed: string, model: string): boolean =>
  allowed.endsWith('*') ? model.startsWith(allowed.slice(0, -1)) : model === allowed
