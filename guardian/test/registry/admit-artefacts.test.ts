import { hash, type JsonObject } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { admitArtefacts, loadRegistry, NO_REGISTRY, parseAdmissionList } from '../../src/registry/index.js'
import { filesOf, referenceOf } from './small-registry.js'

const [allowed, other] = [{ type: 'boolean' }, { type: 'null' }]
const registry = loadRegistry(
  filesOf([
    { kind: 'schema', id: 'allowed', object: allowed },
    { kind: 'schema', id: 'other', object: other },
    { kind: 'program', id: 'allowed', object: allowed },
  ]),
)
const none = { allow: [] }
const list = {
  version: 'parley-registry-admission-v1',
  registry_root: registry.rootHash,
  schemas: { allow: [referenceOf(allowed)] },
  policies: none,
  profiles: none,
  programs: none,
  contract_offers: none,
}
const admit = (change: JsonObject = {}) =>
  admitArtefacts(registry, parseAdmissionList({ ...list, ...change }))
const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error

describe('what an operator does not admit', () => {
  const admitted = admit()
  test('has no content, whichever way it is named', () => {
    expect(admitted.artefact('schema', hash(other))).toBeUndefined()
    for (const reference of ['other', 'other@latest', hash(other), referenceOf(other)])
      expect(admitted.resolve('schema', reference)).toBeUndefined()
    expect(admitted.list('schema').map(({ id }) => id)).toEqual(['allowed'])
  })

  test('is not admitted by an equal artefact of another kind', () => {
    expect(admitted.artefact('program', hash(allowed))).toBeUndefined()
    expect(admitted.list('program')).toEqual([])
  })

  test('leaves what is admitted as it was', () => {
    expect(admitted.artefact('schema', hash(allowed))).toEqual(allowed)
    expect(admitted.resolve('schema', 'allowed@latest')).toBe(hash(allowed))
    expect(admitted.rootHash).toBe(registry.rootHash)
  })
})

test.each<[string, JsonObject]>([
  ['the root of another registry', { registry_root: 'ab'.repeat(32) }],
  ['something that the registry lacks', { schemas: { allow: [`sha256:${'ab'.repeat(32)}`] } }],
  ['something of another kind', { policies: { allow: [referenceOf(allowed)] } }],
  ['a name in place of a hash', { schemas: { allow: ['allowed'] } }],
  ['a hash twice', { schemas: { allow: [referenceOf(allowed), referenceOf(allowed)] } }],
  ['an unknown kind', { receipts: none }],
  ['an unknown member', { schemas: { allow: [], deny: [] } }],
  ['another version', { version: 'parley-registry-admission-v2' }],
  ['a root in capitals', { registry_root: 'AB'.repeat(32) }],
])('an admission list with %s is refused', (_, change) => {
  expect(() => admit(change)).toThrow(malformed)
})

test.each(Object.keys(list))('an admission list without %s is refused', (member) => {
  const { [member as keyof typeof list]: _, ...rest } = list
  expect(() => parseAdmissionList(rest)).toThrow(malformed)
})

test('the registry of nothing has the hash of no files, and nothing in it', () => {
  expect(NO_REGISTRY.rootHash).toBe(hash({}))
  expect(NO_REGISTRY.resolve('schema', hash(allowed))).toBeUndefined()
  expect(NO_REGISTRY.artefact('schema', hash(allowed))).toBeUndefined()
  expect(NO_REGISTRY.list('policy')).toEqual([])
})
