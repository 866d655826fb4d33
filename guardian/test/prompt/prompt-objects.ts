import type { ModelProfile, PromptProgram } from '../../src/prompt/index.js'

export const programObject = {
  version: '1.0.0',
  system_instruction: 'Say how far two budgets are apart.',
  input_format: 'structured',
} as const satisfies PromptProgram

export const profileObject = {
  profile_version: '1',
  profile_id: 'api-claude-haiku-v1',
  provider: 'anthropic',
  model_id: 'claude-haiku-4-5-20251001',
  model_family: 'claude-haiku',
  reasoning_mode: 'unconstrained',
  structured_output: true,
} as const satisfies ModelProfile
