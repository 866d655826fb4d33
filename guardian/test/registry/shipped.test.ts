import {
  hash,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseContract,
  parseJson,
} from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import {
  admitArtefacts,
  ARTEFACT_KINDS,
  buildContract,
  checkInput,
  checkOutput,
  compileInputSchema,
  loadRegistry,
  parseAdmissionList,
  parseContractOffer,
  parseGuardianPolicy,
  parseModelProfile,
} from '../../src/index.js'
import {
  admittedOf,
  contractOf,
  names,
  offerOf,
  play,
  readBytes,
  readShipped,
  shipped,
  shippedFiles,
} from './shipped.js'
import { file } from './small-registry.js'

const object = (value: JsonValue | undefined): JsonObject => {
  if (value === undefined || !isJsonObject(value)) throw new Error('no object')
  return value
}
const example = (name: string, what: string) => readShipped(`examples/${name}/${what}.json`)
const programs = names.filter((name) => offerOf(name).evaluator === 'cel')

test('there are at least eight offers, six of them with a program, and each has its examples', () => {
  const offers = shipped.list('contract_offer')
  expect(offers.length).toBeGreaterThanOrEqual(8)
  expect(programs.length).toBeGreaterThanOrEqual(6)
  expect(offers.map(({ id }) => id).sort()).toEqual(names.map((name) => `parley.${name}.v1`).sort())
})

test('any one artefact changed is found', () => {
  for (const [path, bytes] of shippedFiles()) {
    if (path.endsWith('index.json') || path === 'registry.json') continue
    const value = { ...object(parseJson(bytes)), extra: 1 }
    expect(() => loadRegistry(shippedFiles().set(path, file(value)))).toThrow(
      expect.objectContaining({ code: 'object_malformed' }),
    )
  }
})

test('the shipped policy bundle pins the shipped registry and admits all of it', () => {
  const list = parseAdmissionList(readShipped('../infra/policy/registry-admission.json'))
  const admitted = admitArtefacts(shipped, list)
  for (const kind of ARTEFACT_KINDS) expect(admitted.list(kind)).toEqual(shipped.list(kind))
})

test('every artefact is what its kind says', () => {
  for (const { hash: content } of shipped.list('policy'))
    expect(() => parseGuardianPolicy(shipped.artefact('policy', content) ?? null)).not.toThrow()
  for (const { hash: content } of shipped.list('profile'))
    expect(() => parseModelProfile(shipped.artefact('profile', content) ?? null)).not.toThrow()
  for (const { hash: content } of shipped.list('contract_offer'))
    expect(() => parseContractOffer(shipped.artefact('contract_offer', content) ?? null)).not.toThrow()
})

test('no schema, program, policy or profile is there that no offer uses', () => {
  const offers = names.map(offerOf)
  const used = {
    schema: offers.map(({ schema_ref }) => schema_ref),
    policy: offers.map(({ policy_ref }) => policy_ref),
    profile: offers.flatMap(({ allowed_model_profiles }) => allowed_model_profiles),
    program: offers.map(({ program_ref }) => program_ref),
  }
  for (const kind of ['schema', 'policy', 'profile', 'program'] as const)
    expect(new Set(used[kind])).toEqual(new Set(shipped.list(kind).map((entry) => `sha256:${entry.hash}`)))
})

test('the example of SPEC §18 is the index that it names', () => {
  const spec = new TextDecoder().decode(readBytes('../protocol/SPEC.md'))
  const [, example = ''] = /^## 18\. .*?```json\n(.*?)```/ms.exec(spec) ?? []
  expect(parseJson(example)).toEqual(readShipped('policies/index.json'))
})

test('the contract that stands built is the one that its offer gives', () => {
  const built = parseContract(readShipped('contracts/negotiation-band.json'))
  expect(hash(contractOf('negotiation-band'))).toBe(hash(built))
})

describe.each(names)('%s', (name) => {
  const { capacity, contract, output, inputs, advisories } = admittedOf(name)

  test('is admitted, and its budget is exactly what it can tell', () => {
    expect(contract.entropy_budget_bits).toBe(capacity.bits)
    expect(contract.entropy_enforcement).toBe('Gate')
    expect(advisories.map(({ code }) => code)).not.toContain('capacity_exceeds_contract_budget')
  })

  test('says in its metadata how many outputs there are, and what each code means', () => {
    const metadata = object(contract.metadata)
    const codes = object(metadata['codes'])
    expect(metadata['disclosure']).toContain(`admits ${capacity.outputs} outputs`)
    const members = object(object(contract.output_schema)['properties'])
    expect(Object.keys(codes).sort()).toEqual(Object.keys(members).sort())
    for (const [member, schema] of Object.entries(members)) {
      const values = object(schema)['enum'] ?? ['integer']
      expect(Object.keys(object(codes[member])).sort()).toEqual([...(values as string[])].sort())
    }
  })

  test('admits its example inputs, and no input with a member more', () => {
    if (inputs === null) throw new Error('no input schemas')
    for (const role of ['initiator', 'responder'] as const) {
      const compiled = compileInputSchema(object(contract.input_schemas?.[role]))
      if (!compiled.ok) throw new Error(compiled.code)
      const input = object(example(name, role))
      expect(checkInput(compiled.shape, input)).toMatchObject({ ok: true })
      expect(checkInput(compiled.shape, { ...input, note: '' }).ok).toBe(false)
      expect(checkInput(compiled.shape, {}).ok).toBe(false)
    }
  })

  test('has no code with a numeral, which its policy would refuse', () => {
    const members = object(object(contract.output_schema)['properties'])
    for (const schema of Object.values(members))
      for (const code of (object(schema)['enum'] ?? []) as string[]) expect(code).toMatch(/^[A-Z_]+$/)
    expect(checkOutput(output, {}).ok).toBe(false)
  })
})

test.each(programs)('%s gives the expected output for its example', (name) => {
  expect(play(name)(example(name, 'initiator'), example(name, 'responder'))).toEqual(
    example(name, 'expected'),
  )
})

describe.each(names.filter((name) => !programs.includes(name)))('%s', (name) => {
  const offer = offerOf(name)
  test.each(offer.allowed_model_profiles)('can be built for %s', (profile) => {
    const built = buildContract({ registry: shipped, offer, participants: ['alice', 'bob'], profile })
    expect(built.model_profile_hash).toBe(profile.slice('sha256:'.length))
    expect(built.prompt_template_hash).toBe(offer.program_ref.slice('sha256:'.length))
  })
})
