import { contractHash, hash, type JsonObject, parseContract } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { buildContract, NO_REGISTRY } from '../../src/registry/index.js'
import {
  celOffer,
  hosted,
  local,
  modelOffer,
  offerOf,
  policy,
  program,
  prompt,
  registryOf,
  schema,
  stranger,
} from './small-offer.js'
import { referenceOf } from './small-registry.js'

const registry = registryOf()
const participants = ['alice', 'bob']
const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

describe('a contract with a program', () => {
  const built = buildContract({ registry, offer: offerOf(), participants })

  test('is whole: schema and program stand in it, beside the hashes by which they are known', () => {
    expect(built).toEqual({
      purpose_code: 'TEST',
      output_schema_id: 'meets_v1',
      output_schema: schema,
      participants,
      prompt_template_hash: null,
      entropy_budget_bits: 3,
      timing_class: null,
      metadata: { title: 'Meets' },
      model_profile_id: null,
      enforcement_policy_hash: hash(policy),
      output_schema_hash: hash(schema),
      entropy_enforcement: 'Gate',
      evaluator: 'cel',
      program,
      program_hash: hash(program),
      input_schemas: celOffer['input_schemas'],
    })
  })

  test('has the hash that whoever parses it computes, and does not name it', () => {
    expect(contractHash(built)).toBe(contractHash(parseContract({ ...built })))
    expect(JSON.stringify(built)).not.toContain(contractHash(built))
  })

  test('cannot be changed afterwards', () => {
    expect(Object.isFrozen(built)).toBe(true)
  })

  test('has as many participants as its offer has roles, each with its input', () => {
    const input_schemas = { ...(celOffer['input_schemas'] as JsonObject), participant_3: { type: 'null' } }
    const offer = offerOf({ roles: ['asker', 'answerer', 'witness'], input_schemas })
    const three = buildContract({ registry, offer, participants: ['alice', 'bob', 'carol'] })
    expect(three).toMatchObject({ participants: ['alice', 'bob', 'carol'], input_schemas })
    expect(() => buildContract({ registry, offer, participants })).toThrow(malformed)
  })

  test('states no input schemas where the offer has none', () => {
    const offer = offerOf({ input_schemas: null })
    expect(buildContract({ registry, offer, participants })).not.toHaveProperty('input_schemas')
  })
})

describe('a contract for a model', () => {
  const offer = offerOf({}, modelOffer)

  test('names prompt and model by hash, and takes the first profile unless another is asked for', () => {
    const built = buildContract({ registry, offer, participants })
    expect(built).toMatchObject({
      evaluator: 'llm',
      prompt_template_hash: hash(prompt),
      model_profile_id: 'hosted-v1',
      model_profile_hash: hash(hosted),
      max_completion_tokens: 64,
    })
    expect(built).not.toHaveProperty('program')
    expect(built).not.toHaveProperty('program_hash')
  })

  test.each(['local', 'local@latest', hash(local), referenceOf(local)])(
    'of %s is evaluated inside',
    (profile) => {
      expect(buildContract({ registry, offer, participants, profile })).toMatchObject({
        evaluator: 'local',
        model_profile_id: 'local-v1',
      })
    },
  )

  test.each([referenceOf(stranger), 'stranger', 'nobody', ''])(
    'of %s, which the offer lacks, is refused',
    (profile) => {
      expect(() => buildContract({ registry, offer, participants, profile })).toThrow(malformed)
    },
  )
})

describe('a contract is refused', () => {
  test.each([
    ['for one participant', ['alice']],
    ['for three', ['alice', 'bob', 'carol']],
    ['for one twice', ['alice', 'alice']],
    ['for a name with a space', ['alice', 'bob b']],
  ])('%s', (_, names) => {
    expect(() => buildContract({ registry, offer: offerOf(), participants: names })).toThrow(malformed)
  })

  test.each(['schema_ref', 'policy_ref', 'program_ref'])('where its %s leads nowhere', (member) => {
    const offer = offerOf({ [member]: `sha256:${'ab'.repeat(32)}` })
    expect(() => buildContract({ registry, offer, participants })).toThrow(malformed)
  })

  test('where its program is of another kind than its evaluator', () => {
    const offer = offerOf({ program_ref: referenceOf(prompt) })
    expect(() => buildContract({ registry, offer, participants })).toThrow(malformed)
  })

  test('where a program is to have a model', () => {
    expect(() => buildContract({ registry, offer: offerOf(), participants, profile: 'hosted' })).toThrow(
      malformed,
    )
  })

  test('where its input schemas are of other roles', () => {
    const offer = offerOf({ input_schemas: { initiator: {}, participant_3: {} } })
    expect(() => buildContract({ registry, offer, participants })).toThrow(malformed)
  })

  test('where nothing is admitted', () => {
    expect(() => buildContract({ registry: NO_REGISTRY, offer: offerOf(), participants })).toThrow(malformed)
  })

  test.each([
    ['meets', celOffer],
    ['codes', celOffer],
    ['equal', celOffer],
    ['hosted', modelOffer],
  ])('where %s is deprecated, unless that is said to be fine', (id, base: JsonObject) => {
    const old = registryOf({ [id]: { status: 'deprecated' } })
    const asked = { registry: old, offer: offerOf({}, base), participants }
    expect(() => buildContract(asked)).toThrow(malformed)
    expect(() => buildContract({ ...asked, allowDeprecated: true })).not.toThrow()
  })

  test('where its schema admits text and its policy is for codes', () => {
    const rich = registryOf({ meets: { compatibility: { safety_class: 'RICH' } } })
    expect(() => buildContract({ registry: rich, offer: offerOf(), participants })).toThrow(malformed)
    const both = { compatibility: { safety_class: 'RICH' } }
    const asked = { registry: registryOf({ meets: both, codes: both }), offer: offerOf(), participants }
    expect(() => buildContract(asked)).not.toThrow()
  })
})
