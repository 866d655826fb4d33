import { type Contract, hash, type JsonObject, parseContract } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { admitContract, parseGuardianPolicy, type Registry } from '../../src/index.js'
import { policyObject } from '../policy/policy-object.js'

const profile = {
  profile_version: '1',
  profile_id: 'a-profile',
  provider: 'anthropic',
  model_id: 'claude-sonnet-4-6',
  model_family: 'claude',
  reasoning_mode: 'unconstrained',
  structured_output: true,
}
const local = { ...profile, profile_id: 'l-profile', provider: 'local', model_id: 'a-model.gguf' }
const prompt = { version: '1.0.0', system_instruction: 'Compare both inputs.', input_format: 'structured' }
const schema = {
  type: 'object',
  properties: { fit: { type: 'string', enum: ['NO', 'YES'] } },
  required: ['fit'],
  additionalProperties: false,
}
const broken = { profile_version: '1' }
const kept = new Map<string, JsonObject>(
  [profile, local, prompt, schema, broken].map((object) => [hash(object), object]),
)
const registry: Registry = {
  rootHash: '',
  artefact: (_, named) => kept.get(named),
  resolve: () => undefined,
  list: () => [],
}
/** Gives out something else than it was asked for. */
const lying: Registry = { ...registry, artefact: (kind) => (kind === 'schema' ? schema : broken) }

const policyOf = (change: JsonObject = {}) =>
  parseGuardianPolicy({ ...policyObject, model_profile_allowlist: [], provider_allowlist: [], ...change })
const base = {
  purpose_code: 'COMPATIBILITY',
  output_schema_id: 'test_fit',
  output_schema: schema,
  participants: ['alice', 'bob'],
  prompt_template_hash: hash(prompt),
  entropy_budget_bits: null,
  timing_class: null,
  metadata: null,
  model_profile_id: 'a-profile',
  model_profile_hash: hash(profile),
}
const byLocal = {
  ...base,
  evaluator: 'local',
  model_profile_id: 'l-profile',
  model_profile_hash: hash(local),
}
const without = (...members: readonly string[]) =>
  Object.fromEntries(Object.entries(base).filter(([name]) => !members.includes(name)))
const parse = (value: JsonObject): Contract => parseContract(value)
const admit = (value: JsonObject, policy: JsonObject = {}, from: Registry = registry) =>
  admitContract({
    contract: parse(value),
    policy: policyOf(policy),
    registry: from,
    evaluators: ['cel', 'llm', 'local'],
  })
const admitted = (value: JsonObject, policy: JsonObject = {}) => {
  const admission = admit(value, policy)
  if (!admission.ok) throw new Error(`${admission.code} at ${admission.pointer}`)
  return admission.admitted
}

describe('a contract for a model', () => {
  test('without a word on its evaluator is AgentVault’s, for a provider’s model', () => {
    expect(admitted(base)).toMatchObject({
      evaluator: 'llm',
      program: null,
      program_hash: null,
      model: {
        profile,
        model_profile_hash: hash(profile),
        promptProgram: prompt,
        prompt_program_hash: hash(prompt),
        maxCompletionTokens: null,
      },
    })
  })

  test('may name a model inside the VM', () => {
    expect(admitted(byLocal)).toMatchObject({ evaluator: 'local', model: { profile: local } })
  })

  test('has seven outcomes beside its outputs', () => {
    expect(admitted(base).capacity).toMatchObject({ outputs: '2', outcomes: '9' })
  })

  test('may hold an empty stub for a schema of the registry', () => {
    const stub = admitted({ ...base, output_schema: {}, output_schema_hash: hash(schema) })
    expect(stub).toMatchObject({ output_schema: schema, output_schema_hash: hash(schema) })
    expect(stub.capacity).toEqual(admitted(base).capacity)
  })

  test.each<[string, JsonObject, JsonObject]>([
    ['an empty list of profiles', {}, { model_profile_allowlist: [] }],
    ['its profile by id', {}, { model_profile_allowlist: ['x', 'a-profile'] }],
    ['its profile by hash', {}, { model_profile_allowlist: [hash(profile)] }],
    ['its profile by tagged hash', {}, { model_profile_allowlist: [`sha256:${hash(profile)}`] }],
    ['its provider', {}, { provider_allowlist: ['openai', 'anthropic'] }],
    ['as many tokens', { max_completion_tokens: 100 }, { max_output_tokens: 100 }],
  ])('runs under a policy that allows %s', (_, change, policy) => {
    expect(admit({ ...base, ...change }, policy).ok).toBe(true)
  })

  test.each<[string, JsonObject]>([
    ['nothing', { allowed_providers: [], allowed_models: [] }],
    ['its provider', { allowed_providers: ['anthropic'], allowed_models: [] }],
    ['its model', { allowed_providers: [], allowed_models: ['claude-sonnet-4-6'] }],
    ['the beginning of its model', { allowed_providers: [], allowed_models: ['gpt-5', 'claude-sonnet-*'] }],
    ['any model', { allowed_providers: [], allowed_models: ['*'] }],
  ])('may constrain itself to %s', (_, model_constraints) => {
    expect(admit({ ...base, model_constraints }).ok).toBe(true)
  })

  test.each<[string, JsonObject, JsonObject, number | null]>([
    ['the contract’s', { max_completion_tokens: 50 }, {}, 50],
    ['the policy’s', {}, { max_output_tokens: 100 }, 100],
    ['the contract’s, below the policy’s', { max_completion_tokens: 50 }, { max_output_tokens: 100 }, 50],
    ['none', {}, {}, null],
  ])('asks for no more tokens than %s cap', (_, change, policy, most) => {
    expect(admitted({ ...base, ...change }, policy).model?.maxCompletionTokens).toBe(most)
  })
})

describe('a contract for a model is refused before any input', () => {
  const program = { language: 'cel', source: 'true', cost_limit: 1 }
  const constrained = (change: JsonObject) => ({
    ...base,
    model_constraints: { allowed_providers: [], allowed_models: [], ...change },
  })
  test.each<[string, JsonObject, string, string]>([
    ['with a program', { ...base, program }, 'member_not_applicable', '/program'],
    [
      'with a program’s hash',
      { ...base, program_hash: hash(program) },
      'member_not_applicable',
      '/program_hash',
    ],
    ['with a timing class', { ...base, timing_class: 'fast' }, 'member_not_applicable', '/timing_class'],
    [
      'without a prompt',
      { ...base, prompt_template_hash: null },
      'prompt_program_missing',
      '/prompt_template_hash',
    ],
    [
      'with a prompt that the registry has not',
      { ...base, prompt_template_hash: '0'.repeat(64) },
      'prompt_program_unknown',
      '/prompt_template_hash',
    ],
    [
      'with something else for a prompt',
      { ...base, prompt_template_hash: hash(schema) },
      'prompt_program_malformed',
      '/prompt_template_hash',
    ],
    [
      'without a profile id',
      { ...base, model_profile_id: null },
      'model_profile_missing',
      '/model_profile_id',
    ],
    ['without a profile hash', without('model_profile_hash'), 'model_profile_missing', '/model_profile_hash'],
    [
      'with a profile that the registry has not',
      { ...base, model_profile_hash: '0'.repeat(64) },
      'model_profile_unknown',
      '/model_profile_hash',
    ],
    [
      'with something else for a profile',
      { ...base, model_profile_hash: hash(broken) },
      'model_profile_malformed',
      '/model_profile_hash',
    ],
    [
      'with a profile of another id',
      { ...base, model_profile_id: 'l-profile' },
      'model_profile_mismatch',
      '/model_profile_id',
    ],
    [
      'for a provider, with a local profile',
      { ...byLocal, evaluator: 'llm' },
      'provider_not_applicable',
      '/evaluator',
    ],
    [
      'for a local model, with a provider’s',
      { ...base, evaluator: 'local' },
      'provider_not_applicable',
      '/evaluator',
    ],
    [
      'with constraints on a tier, which no profile states',
      constrained({ min_tier: 'frontier' }),
      'tier_unsupported',
      '/model_constraints/min_tier',
    ],
    [
      'with constraints on the provider that exclude it',
      constrained({ allowed_providers: ['openai'] }),
      'provider_refused_by_contract',
      '/model_constraints/allowed_providers',
    ],
    [
      'with constraints on the provider by a beginning',
      constrained({ allowed_providers: ['anth*'] }),
      'provider_refused_by_contract',
      '/model_constraints/allowed_providers',
    ],
    [
      'with constraints on the model that exclude it',
      constrained({ allowed_models: ['claude-sonnet-4', 'gpt-*', '*sonnet-4-6', 'claude-*-4-6'] }),
      'model_refused_by_contract',
      '/model_constraints/allowed_models',
    ],
    [
      'with a stub that says more',
      { ...base, output_schema: { type: 'object' }, output_schema_hash: hash(schema) },
      'output_schema_hash_mismatch',
      '/output_schema_hash',
    ],
    [
      'with a stub for a schema that the registry has not',
      { ...base, output_schema: {}, output_schema_hash: '0'.repeat(64) },
      'output_schema_unknown',
      '/output_schema_hash',
    ],
    [
      'with a stub for something that is no schema',
      { ...base, output_schema: {}, output_schema_hash: hash(prompt) },
      'keyword_unsupported',
      '/output_schema/version',
    ],
  ])('%s', (_, value, code, pointer) => {
    expect(admit(value)).toMatchObject({ ok: false, code, pointer })
  })

  test.each<[string, JsonObject, JsonObject, string, string, string]>([
    [
      'of another profile',
      {},
      { model_profile_allowlist: ['l-profile', `sha512:${hash(profile)}`] },
      'profile_refused_by_policy',
      '/model_profile_hash',
      'a-profile',
    ],
    [
      'of another provider',
      {},
      { provider_allowlist: ['openai'] },
      'provider_refused_by_policy',
      '/model_profile_hash',
      'anthropic',
    ],
    [
      'of fewer tokens',
      { max_completion_tokens: 101 },
      { max_output_tokens: 100 },
      'tokens_exceed_policy',
      '/max_completion_tokens',
      'tokens 101 over 100',
    ],
  ])('under a policy %s', (_, change, policy, code, pointer, detail) => {
    expect(admit({ ...base, ...change }, policy)).toEqual({ ok: false, code, pointer, detail })
  })

  test.each<[string, JsonObject, string]>([
    ['prompt', base, 'prompt_program_unknown'],
    ['schema', { ...base, output_schema: {}, output_schema_hash: hash(prompt) }, 'output_schema_unknown'],
  ])('from a registry that gives out another %s', (_, value, code) => {
    const partly: Registry = {
      ...registry,
      artefact: (kind, named) =>
        code === 'output_schema_unknown' && kind !== 'schema'
          ? registry.artefact(kind, named)
          : lying.artefact(kind, named),
    }
    expect(admit(value, {}, partly)).toMatchObject({ ok: false, code })
  })

  test.each(['llm', 'local'] as const)('where the relay has no %s', (evaluator) => {
    const value = evaluator === 'llm' ? base : byLocal
    expect(
      admitContract({
        contract: parse(value),
        policy: policyOf(),
        registry,
        evaluators: ['cel', evaluator === 'llm' ? 'local' : 'llm'],
      }),
    ).toEqual({ ok: false, code: 'evaluator_unavailable', pointer: '/evaluator', detail: evaluator })
  })
})
