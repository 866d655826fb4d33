import { NO_REGISTRY, type Registry } from '@parley/guardian'
import { type Contract, hash, type JsonObject, parseContract } from '@parley/protocol'
import type { ModelRequest, ModelReply, ProviderName } from '../../src/model/model-provider.js'
import type { Asked, ModelService, ModelServices } from '../../src/model/model-service.js'
import { CONTRACT } from './test-relay.js'

export const PROMPT: JsonObject = {
  version: '1.0.0',
  system_instruction: 'Say how far two budgets are apart.',
  input_format: 'structured',
}

const profileOf = (provider: ProviderName): JsonObject => ({
  profile_version: '1',
  profile_id: `test-${provider}-v1`,
  provider,
  model_id: `${provider}-model`,
  model_family: 'test',
  reasoning_mode: 'unconstrained',
  structured_output: true,
})

const SCHEMA: JsonObject = {
  type: 'object',
  properties: { word: { type: 'string', enum: ['NEAR', 'FAR', 'N1', 'A_MUCH_LONGER_WORD_THAN_THE_OTHERS'] } },
  required: ['word'],
  additionalProperties: false,
}

const KEPT = [PROMPT, SCHEMA, profileOf('openai'), profileOf('anthropic'), profileOf('local')]

/** A registry that has what the contracts here name. */
export const REGISTRY: Registry = {
  ...NO_REGISTRY,
  artefact: (_, named) => KEPT.find((each) => hash(each) === named),
}

/** A contract that a model of this provider evaluates; its output schema is a stub. */
export const modelContract = (provider: ProviderName, change: Partial<Contract> = {}): Contract => {
  const { program: _, program_hash: __, input_schemas: ___, ...base } = CONTRACT
  const profile = profileOf(provider)
  return parseContract({
    ...base,
    evaluator: provider === 'local' ? 'local' : 'llm',
    output_schema: {},
    output_schema_hash: hash(SCHEMA),
    prompt_template_hash: hash(PROMPT),
    model_profile_id: `test-${provider}-v1`,
    model_profile_hash: hash(profile),
    ...change,
  })
}

export const said = (text: string, model_returned: string | null = 'the-name-it-gave'): ModelReply => ({
  kind: 'completed',
  text,
  model_returned,
})

export const NEAR = '{"word":"NEAR"}'
export const FILE_HASH = 'f1'.repeat(32)

/** A model that does what a test says, and remembers what it was asked. */
export type Scripted = {
  readonly models: ModelServices
  readonly asked: { readonly request: ModelRequest; readonly signal: AbortSignal }[]
}

export const scripted = (
  provider: ProviderName,
  answer: (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply> | ModelReply,
  change: Partial<ModelService> = {},
): Scripted => {
  const asked: { request: ModelRequest; signal: AbortSignal }[] = []
  const service: ModelService = {
    engine: provider,
    host: provider === 'local' ? null : `${provider}.example.org`,
    account: provider === 'local' ? null : 'acme',
    fileHash: provider === 'local' ? FILE_HASH : null,
    attests: false,
    ask: async (request, signal): Promise<Asked> => {
      asked.push({ request, signal })
      return { reply: await answer(request, signal), evidence: null }
    },
    ...change,
  }
  return { models: new Map([[provider, service]]), asked }
}
