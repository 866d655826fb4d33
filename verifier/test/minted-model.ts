import { type Contract, hash, type JsonObject } from '@parley/protocol'
import type { Lies } from './minted-bundle.js'

const SCHEMA: JsonObject = { type: 'string', enum: ['NEAR', 'FAR'] }

const PROMPT: JsonObject = {
  version: '1.0.0',
  system_instruction: 'Say how far two budgets are apart.',
  input_format: 'structured',
}

const profileOf = (provider: string): JsonObject => ({
  profile_version: '1',
  profile_id: 'minted-v1',
  provider,
  model_id: 'minted-model',
  model_family: 'minted',
  reasoning_mode: 'unconstrained',
  structured_output: true,
})

/** What makes a minted bundle one of a model, with its output schema beside the contract. */
export const ofModel = (evaluator: 'llm' | 'local'): Lies => {
  const model_profile = profileOf(evaluator === 'llm' ? 'openai' : 'local')
  const contract = ({ program: _, program_hash: __, ...rest }: Contract): Contract => ({
    ...rest,
    evaluator,
    output_schema: {},
    output_schema_hash: hash(SCHEMA),
    prompt_template_hash: hash(PROMPT),
    model_profile_id: 'minted-v1',
    model_profile_hash: hash(model_profile),
    entropy_budget_bits: 8,
  })
  const artefacts = { output_schema: SCHEMA, prompt_program: PROMPT, model_profile }
  return { contract, artefacts, output: 'NEAR' }
}
