import { type Contract, hash, type JsonObject, type JsonValue, parseContract } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import {
  admitContract,
  evaluateProgram,
  NO_REGISTRY,
  OutputShapeCache,
  parseGuardianPolicy,
} from '../../src/index.js'
import { policyObject } from '../policy/policy-object.js'

const output_schema = {
  type: 'object',
  properties: { overlap: { type: 'string', enum: ['NO', 'YES'] } },
  required: ['overlap'],
  additionalProperties: false,
}
const amount = {
  type: 'object',
  properties: { n: { type: 'integer', minimum: 0, maximum: 9 } },
  required: ['n'],
  additionalProperties: false,
}
const program = {
  language: 'cel',
  source: '{"overlap": initiator.n >= responder.n ? "YES" : "NO"}',
  cost_limit: 100,
}
const contract = {
  purpose_code: 'NEGOTIATION',
  output_schema_id: 'test_overlap',
  output_schema,
  participants: ['buyer', 'seller'],
  prompt_template_hash: null,
  entropy_budget_bits: 3,
  timing_class: null,
  metadata: null,
  model_profile_id: null,
  output_schema_hash: hash(output_schema),
  enforcement_policy_hash: hash(policyObject),
  entropy_enforcement: 'Gate',
  evaluator: 'cel',
  program,
  program_hash: hash(program),
  input_schemas: { initiator: amount, responder: amount },
}
const digest = 'ab'.repeat(32)

const without = (...members: readonly string[]) =>
  Object.fromEntries(Object.entries(contract).filter(([name]) => !members.includes(name)))
const parse = (value: JsonObject): Contract => parseContract(value)
const relay = { registry: NO_REGISTRY, evaluators: ['cel'] } as const
const admit = (value: JsonObject, policy: JsonValue = policyObject) =>
  admitContract({ ...relay, contract: parse(value), policy: parseGuardianPolicy(policy) })
const admitted = (value: JsonObject, policy: JsonValue = policyObject) => {
  const admission = admit(value, policy)
  if (!admission.ok) throw new Error(`${admission.code} at ${admission.pointer}`)
  return admission.admitted
}

describe('a contract that may run', () => {
  test('comes with everything that its session needs', () => {
    const { capacity, output, inputs, program: runs, ...rest } = admitted(contract)
    expect(capacity).toEqual({
      outputs: '2',
      outcomes: '6',
      bits: 3,
      charge_millibits: 2585,
      agentvault_bits: 1,
    })
    expect(output.maxOutputBytes).toBe('{"overlap":"YES"}'.length)
    expect(inputs?.initiator?.maxInputBytes).toBe('{"n":9}'.length)
    expect(runs && evaluateProgram(runs, { initiator: { n: 2 }, responder: { n: 1 } })).toMatchObject({
      value: { overlap: 'YES' },
    })
    expect(rest).toMatchObject({
      evaluator: 'cel',
      model: null,
      output_schema,
      program_hash: hash(program),
      output_schema_hash: hash(output_schema),
      guardian_policy_hash: hash(policyObject),
      advisories: [],
    })
  })

  test('need not state its hashes, its policy or its input schemas', () => {
    const bare = admitted(
      without('program_hash', 'output_schema_hash', 'enforcement_policy_hash', 'input_schemas'),
    )
    expect(bare.inputs).toBeNull()
    expect(bare.program_hash).toBe(hash(program))
    expect(bare.guardian_policy_hash).toBe(hash(policyObject))
  })

  test('uses what the relay compiled before', () => {
    const shapes = new OutputShapeCache(1)
    const policy = parseGuardianPolicy(policyObject)
    const again = () => {
      const admission = admitContract({ ...relay, contract: parse(contract), policy, shapes })
      if (!admission.ok) throw new Error(admission.code)
      return admission.admitted
    }
    const first = again()
    expect(again().output).not.toBe(first.output)
    shapes.keep(first)
    expect(again().output).toBe(first.output)
  })
})

describe('a contract is refused before any input', () => {
  const strict = (output: JsonObject) => ({ ...without('output_schema_hash'), output_schema: output })
  const withProgram = (change: JsonObject) => ({
    ...without('program_hash'),
    program: { ...program, ...change },
  })
  test.each<[string, JsonObject, string, string]>([
    [
      'without an evaluator, as AgentVault writes it',
      without('evaluator', 'program', 'program_hash'),
      'evaluator_unavailable',
      '/evaluator',
    ],
    ['for a model', { ...contract, evaluator: 'llm' }, 'evaluator_unavailable', '/evaluator'],
    ['for a local model', { ...contract, evaluator: 'local' }, 'evaluator_unavailable', '/evaluator'],
    ['without a program', without('program'), 'program_missing', '/program'],
    [
      'with the hash of another program',
      { ...contract, program_hash: digest },
      'program_hash_mismatch',
      '/program_hash',
    ],
    ['with a program that is no CEL', withProgram({ source: '{' }), 'program_malformed', '/program/source'],
    [
      'with a program that names a third party',
      withProgram({ source: 'mediator.n' }),
      'name_unknown',
      '/program/source',
    ],
    [
      'with a program that asks for the time',
      withProgram({ source: 'now()' }),
      'function_unknown',
      '/program/source',
    ],
    [
      'with a program that computes with doubles',
      withProgram({ source: '0.5' }),
      'value_unsupported',
      '/program/source',
    ],
    [
      'with a program that can only fail',
      withProgram({ source: '1 + "a"' }),
      'program_ill_typed',
      '/program/source',
    ],
    [
      'with a prompt that nothing would read',
      { ...contract, prompt_template_hash: digest },
      'member_not_applicable',
      '/prompt_template_hash',
    ],
    [
      'with a model profile that nothing would use',
      { ...contract, model_profile_id: 'm' },
      'member_not_applicable',
      '/model_profile_id',
    ],
    [
      'with a model profile hash',
      { ...contract, model_profile_hash: digest },
      'member_not_applicable',
      '/model_profile_hash',
    ],
    [
      'with model constraints',
      { ...contract, model_constraints: { allowed_providers: [], allowed_models: [] } },
      'member_not_applicable',
      '/model_constraints',
    ],
    [
      'with a token limit',
      { ...contract, max_completion_tokens: 1 },
      'member_not_applicable',
      '/max_completion_tokens',
    ],
    [
      'with a timing class that nothing holds',
      { ...contract, timing_class: 'fast' },
      'member_not_applicable',
      '/timing_class',
    ],
    [
      'with the hash of another schema',
      { ...contract, output_schema_hash: digest },
      'output_schema_hash_mismatch',
      '/output_schema_hash',
    ],
    ['with a schema stub', strict({}), 'value_unbounded', '/output_schema'],
    ['with an open output', strict({ type: 'object' }), 'object_open', '/output_schema'],
    [
      'with free text in the output',
      strict({ ...output_schema, properties: { overlap: { type: 'string' } } }),
      'value_unbounded',
      '/output_schema/properties/overlap',
    ],
    [
      'with an open input of the initiator',
      { ...contract, input_schemas: { initiator: { type: 'object' }, responder: amount } },
      'object_open',
      '/input_schemas/initiator',
    ],
    [
      'with a number in the responder’s input',
      {
        ...contract,
        input_schemas: { initiator: amount, responder: { ...amount, properties: { n: { type: 'number' } } } },
      },
      'value_unbounded',
      '/input_schemas/responder/properties/n/type',
    ],
    [
      'with an input of the initiator that may be over 64 KiB',
      { ...contract, input_schemas: { initiator: { type: 'string', maxLength: 10_923 }, responder: amount } },
      'input_too_large',
      '/input_schemas/initiator',
    ],
    [
      'with an input of the responder that may be over 64 KiB',
      { ...contract, input_schemas: { initiator: amount, responder: { type: 'string', maxLength: 10_923 } } },
      'input_too_large',
      '/input_schemas/responder',
    ],
    [
      'under another policy',
      { ...contract, enforcement_policy_hash: digest },
      'policy_hash_mismatch',
      '/enforcement_policy_hash',
    ],
    [
      'over its own budget',
      { ...contract, entropy_budget_bits: 2 },
      'capacity_exceeds_budget',
      '/entropy_budget_bits',
    ],
    [
      'over its own budget, strictly',
      { ...contract, entropy_budget_bits: 0, entropy_enforcement: 'Strict' },
      'capacity_exceeds_budget',
      '/entropy_budget_bits',
    ],
  ])('%s', (_, value, code, pointer) => {
    expect(admit(value)).toMatchObject({ ok: false, code, pointer })
  })

  test('over the policy’s budget, where that is a gate', () => {
    const entropy_constraints = { budget_bits: 2, classification: 'GATE', review_trigger_pct: 80 }
    const policy = { ...policyObject, entropy_constraints }
    expect(admit(without('enforcement_policy_hash'), policy)).toEqual({
      ok: false,
      code: 'capacity_exceeds_policy',
      pointer: '/output_schema',
      detail: 'bits 3 over budget 2',
    })
  })
})

describe('budgets that only advise are findings', () => {
  const free = without('enforcement_policy_hash', 'entropy_enforcement')
  const advising = (budget_bits: number, review_trigger_pct = 100) => ({
    ...policyObject,
    entropy_constraints: { budget_bits, classification: 'ADVISORY', review_trigger_pct },
  })
  test.each<[string, JsonObject, JsonValue, readonly string[]]>([
    [
      'over the contract’s, without a word on enforcement',
      { ...free, entropy_budget_bits: 2 },
      advising(32),
      ['capacity_exceeds_contract_budget'],
    ],
    [
      'over the contract’s, advisory',
      { ...free, entropy_budget_bits: 2, entropy_enforcement: 'Advisory' },
      advising(32),
      ['capacity_exceeds_contract_budget'],
    ],
    ['over the policy’s', free, advising(2), ['capacity_exceeds_policy_budget', 'capacity_needs_review']],
    ['at the share that asks for a review', free, advising(6, 50), ['capacity_needs_review']],
    ['below that share', free, advising(6, 51), []],
    [
      'without any budget',
      { ...free, entropy_budget_bits: null },
      { ...policyObject, entropy_constraints: null },
      [],
    ],
  ])('%s', (_, value, policy, codes) => {
    expect(admitted(value, policy).advisories.map(({ code }) => code)).toEqual(codes)
  })
})

describe('a policy’s rules are held against the contract', () => {
  const noted = (most: number) => ({
    ...without('output_schema_hash', 'enforcement_policy_hash', 'entropy_enforcement'),
    output_schema: {
      type: 'object',
      properties: { note: { type: 'string', pattern: `^[a-z]{0,${most}}$` } },
      required: ['note'],
      additionalProperties: false,
    },
  })
  const canary = { rule_id: 'c', type: 'canary_reject', min_characters: 6, classification: 'GATE' }
  const ruled = (rule: JsonObject) => ({ ...policyObject, rules: [rule] })

  test('canaries read no output of over 4096 bytes', () => {
    const lists = {
      ...noted(0),
      output_schema: { type: 'array', items: { enum: ['a', { note: 'b' }] }, maxItems: 600 },
    }
    expect(admit(noted(100), ruled(canary)).ok).toBe(true)
    expect(admit(lists, ruled(canary)).ok).toBe(true)
    expect(
      admit(
        {
          ...noted(0),
          output_schema: { type: 'array', items: { type: 'string', pattern: '^[ab]{0,4}$' }, maxItems: 600 },
        },
        ruled(canary),
      ),
    ).toMatchObject({ code: 'output_too_large_for_canaries', pointer: '/output_schema' })
  })

  test('a narrowing omits what an output may have', () => {
    const narrowing = (name: string) =>
      ruled({
        rule_id: 'n',
        type: 'recipient_narrowing',
        role: 'responder',
        omit: [name],
        classification: 'GATE',
      })
    expect(admit(noted(9), narrowing('note')).ok).toBe(true)
    expect(admit(noted(9), narrowing('notes'))).toEqual({
      ok: false,
      code: 'narrowing_unmatched',
      pointer: '/output_schema',
      detail: 'notes',
    })
  })

  test('AgentVault’s figure is warned of where it is below the counted one', () => {
    const { advisories } = admitted({ ...noted(1), entropy_budget_bits: null })
    expect(advisories).toEqual([{ code: 'agentvault_figure_differs' }])
  })
})
