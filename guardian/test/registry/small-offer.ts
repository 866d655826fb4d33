import type { JsonObject } from '@parley/protocol'
import {
  type ContractOffer,
  loadRegistry,
  parseContractOffer,
  type Registry,
} from '../../src/registry/index.js'
import { filesOf, type Item, referenceOf } from './small-registry.js'

export const schema = {
  type: 'object',
  properties: { met: { type: 'boolean' } },
  required: ['met'],
  additionalProperties: false,
}
export const policy = { policy: 'for a test' }
export const program = { language: 'cel', source: '{"met": initiator == responder}', cost_limit: 100 }
export const prompt = {
  version: '1.0.0',
  system_instruction: 'Say whether they meet.',
  input_format: 'structured',
}
const input = { type: 'integer', minimum: 0, maximum: 9 }

const profileOf = (profile_id: string, provider: string) => ({
  profile_version: '1',
  profile_id,
  provider,
  model_id: 'model-1',
  model_family: 'model',
  reasoning_mode: 'unconstrained',
  structured_output: true,
})
export const hosted = profileOf('hosted-v1', 'openai')
export const local = profileOf('local-v1', 'local')
export const stranger = profileOf('stranger-v1', 'gemini')

/** A registry of what the offers below refer to, each entry changed as said. */
export const registryOf = (changes: Readonly<Record<string, JsonObject>> = {}): Registry => {
  const item = (kind: Item['kind'], id: string, object: JsonObject): Item => ({
    kind,
    id,
    object,
    more: changes[id] ?? {},
  })
  return loadRegistry(
    filesOf([
      item('schema', 'meets', schema),
      item('policy', 'codes', policy),
      item('program', 'equal', program),
      item('program', 'ask', prompt),
      item('profile', 'hosted', hosted),
      item('profile', 'local', local),
      item('profile', 'stranger', stranger),
    ]),
  )
}

export const celOffer: JsonObject = {
  offer_version: '1',
  contract_offer_id: 'test.meets.v1',
  purpose_code: 'TEST',
  output_schema_id: 'meets_v1',
  schema_ref: referenceOf(schema),
  policy_ref: referenceOf(policy),
  program_ref: referenceOf(program),
  allowed_model_profiles: [],
  evaluator: 'cel',
  roles: ['asker', 'answerer'],
  input_schemas: { initiator: input, responder: input },
  entropy_budget_bits: 3,
  entropy_enforcement: 'Gate',
  max_completion_tokens: null,
  metadata_defaults: { title: 'Meets' },
}

export const modelOffer: JsonObject = {
  ...celOffer,
  program_ref: referenceOf(prompt),
  allowed_model_profiles: [referenceOf(hosted), referenceOf(local)],
  evaluator: 'llm',
  entropy_budget_bits: 4,
  max_completion_tokens: 64,
}

export const offerOf = (change: JsonObject = {}, base: JsonObject = celOffer): ContractOffer =>
  parseContractOffer({ ...base, ...change })
