import { type Contract, hash, type JsonObject, parseContract, ProtocolError } from '@parley/protocol'
import { type ModelProfile, parseModelProfile } from '../prompt/model-profile.js'
import type { ArtefactKind } from './artefact.js'
import type { ContractOffer } from './contract-offer.js'
import type { Registry } from './registry.js'

/** What a contract is built from. */
export type ContractToBuild = {
  readonly registry: Registry
  readonly offer: ContractOffer
  /** Names in role order, as many as the offer has roles. */
  readonly participants: readonly string[]
  /** Reference of one of the offer's model profiles; its first, if left out. */
  readonly profile?: string | undefined
  /** Take artefacts that are deprecated. */
  readonly allowDeprecated?: boolean | undefined
}

/**
 * Builds a contract from an offer: whole, with its schema and program inside and every hash that they are known by.
 * It is frozen; its hash is contractHash of it and stands nowhere in it.
 * @throws ProtocolError object_malformed where a reference leads nowhere or to something deprecated, where the number of
 * participants is another one, where the schema admits text and the policy does not, or on a malformed artefact
 * @see protocol SPEC §18
 */
export const buildContract = (asked: ContractToBuild): Contract => {
  const { offer, participants } = asked
  if (participants.length !== offer.roles.length)
    throw refused(`${offer.roles.length} participants are needed: ${offer.roles.join(', ')}`)
  if (offer.evaluator === 'cel' && asked.profile !== undefined)
    throw refused('a program takes no model profile')
  const schema = find(asked, 'schema', offer.schema_ref)
  const policy = find(asked, 'policy', offer.policy_ref)
  refuseTextUnderCodes(asked.registry, schema.hash, policy.hash)
  const program = find(asked, 'program', offer.program_ref)
  const built = {
    purpose_code: offer.purpose_code,
    output_schema_id: offer.output_schema_id,
    output_schema: schema.object,
    participants,
    prompt_template_hash: offer.evaluator === 'cel' ? null : program.hash,
    entropy_budget_bits: offer.entropy_budget_bits,
    timing_class: null,
    metadata: offer.metadata_defaults,
    model_profile_id: null,
    enforcement_policy_hash: policy.hash,
    output_schema_hash: schema.hash,
    ...(offer.max_completion_tokens === null ? {} : { max_completion_tokens: offer.max_completion_tokens }),
    entropy_enforcement: offer.entropy_enforcement,
    ...(offer.evaluator === 'cel'
      ? { evaluator: 'cel', program: program.object, program_hash: program.hash }
      : modelMembers(asked)),
    ...(offer.input_schemas === null ? {} : { input_schemas: offer.input_schemas }),
  }
  return Object.freeze(parseContract(built))
}

type Found = { readonly object: JsonObject; readonly hash: string }

const find = (
  { registry, allowDeprecated }: ContractToBuild,
  kind: ArtefactKind,
  reference: string,
): Found => {
  const content = registry.resolve(kind, reference)
  const object = content === undefined ? undefined : registry.artefact(kind, content)
  if (object === undefined) throw refused(`no ${kind} ${reference.slice(0, 128)}`)
  const found = { object, hash: hash(object) }
  if (entryOf(registry, kind, found.hash)?.status === 'deprecated' && allowDeprecated !== true)
    throw refused(`${kind} ${found.hash} is deprecated`)
  return found
}

const modelMembers = (asked: ContractToBuild) => {
  const { offer, registry, profile: wanted } = asked
  const { object, hash: named } = find(asked, 'profile', wanted ?? offer.allowed_model_profiles[0] ?? '')
  if (!offer.allowed_model_profiles.some((allowed) => registry.resolve('profile', allowed) === named))
    throw refused(`the offer does not allow model profile ${named}`)
  const { profile_id, provider }: ModelProfile = parseModelProfile(object)
  return {
    evaluator: provider === 'local' ? 'local' : 'llm',
    model_profile_id: profile_id,
    model_profile_hash: named,
  }
}

/** AgentVault's rule: a schema that admits text does not go with a policy for codes. */
const refuseTextUnderCodes = (registry: Registry, schema: string, policy: string): void => {
  const classOf = (kind: ArtefactKind, content: string) =>
    entryOf(registry, kind, content)?.compatibility.safety_class
  if (classOf('schema', schema) === 'RICH' && classOf('policy', policy) === 'SAFE')
    throw refused('the schema is RICH and the policy SAFE')
}

const entryOf = (registry: Registry, kind: ArtefactKind, content: string) =>
  registry.list(kind).find((artefact) => artefact.hash === content)

const refused = (message: string): ProtocolError =>
  new ProtocolError('object_malformed', `contract offer: ${message}`)
