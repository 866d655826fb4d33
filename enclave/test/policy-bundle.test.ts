import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, isJsonObject, parseJson, sha256, toHex } from '@parley/protocol'
import { expect, test } from 'vitest'
import { loadPolicyBundle, readPolicyBundle } from '../src/policy-bundle.js'
import { parseProfileDescriptor, checkSurfaces } from '../src/policy/profile.js'
import { readPolicyFiles } from '../src/policy/policy-files.js'
import { bytes, POLICY_DIRECTORY, temporaryDirectory } from './boot.js'

const shipped = () => new Map(readPolicyFiles(POLICY_DIRECTORY))
const malformed = expect.objectContaining({ code: 'policy_malformed' }) as Error
const readObject = (path: string) => {
  const value = parseJson(shipped().get(path) ?? new Uint8Array(0))
  if (!isJsonObject(value)) throw new Error('no object')
  return value
}

test.each(['confidential', 'software'] as const)('the shipped bundle loads for the %s profile', (name) => {
  const bundle = loadPolicyBundle(POLICY_DIRECTORY, name)
  expect(bundle.profile.name).toBe(name)
  expect(bundle.profile.hash).toBe(hash(readObject(`profiles/${name}.json`)))
  expect(bundle.guardianPolicies.get(bundle.defaultGuardianPolicy)).toEqual(
    readObject('guardian/bounded-signal.json'),
  )
})

test('the hash of a bundle is that of its paths and the digests of their bytes', () => {
  const digests = Array.from(shipped(), ([path, file]) => [path, toHex(sha256(file))] as const)
  expect(loadPolicyBundle(POLICY_DIRECTORY, 'software').hash).toBe(hash(Object.fromEntries(digests)))
})

test('the bundle ships the registry policy, byte for byte', () => {
  const registry = readFileSync(new URL('../../registry/policies/bounded-signal.json', import.meta.url))
  expect(shipped().get('guardian/bounded-signal.json')).toEqual(new Uint8Array(registry))
})

test('each shipped descriptor asks for nothing that its profile lacks', () => {
  for (const name of ['confidential', 'software', 'embedded'] as const)
    expect(() => {
      checkSurfaces(parseProfileDescriptor(name, readObject(`profiles/${name}.json`)))
    }).not.toThrow()
})

test('one changed byte of one file changes the hash', () => {
  const files = shipped()
  const before = readPolicyBundle(files, 'software').hash
  const other = files.get('profiles/embedded.json') ?? bytes('')
  files.set('profiles/embedded.json', bytes(`${new TextDecoder().decode(other)}\n`))
  expect(readPolicyBundle(files, 'software').hash).not.toBe(before)
})

test.each([['limits.json'], ['profiles/software.json'], ['guardian/bounded-signal.json']])(
  'a bundle without %s is refused as policy_malformed',
  (path) => {
    const files = shipped()
    files.delete(path)
    expect(() => readPolicyBundle(files, 'software')).toThrow(malformed)
  },
)

test.each([
  'README.md',
  'limits.yaml',
  'guardian/deep/x.json',
  'profiles/Software.json',
  'guardian/x.json.bak',
])('a bundle that also holds %s is refused as policy_malformed', (path) => {
  expect(() => readPolicyBundle(shipped().set(path, bytes('{}')), 'software')).toThrow(malformed)
})

test.each([
  ['no JSON', 'limits.json', '{'],
  ['no object', 'limits.json', '[]'],
  ['a member named twice', 'limits.json', '{"a":1,"a":1}'],
  ['no JSON', 'guardian/bounded-signal.json', ''],
  ['an unknown rule', 'guardian/other.json', '{"policy_version":"2"}'],
])('%s in %s is refused as policy_malformed', (_, path, text) => {
  expect(() => readPolicyBundle(shipped().set(path, bytes(text)), 'software')).toThrow(malformed)
})

const limits = readObject('limits.json')
test.each([
  ['a missing limit', { sessions: undefined }],
  ['an unknown limit', { seats: 4 }],
  ['a fraction', { tick_ms: 0.5 }],
  ['a zero', { sessions: 0 }],
  ['a text', { sessions: '4' }],
  ['more replay entries than fit', { replay_entries: 1e9 }],
])('%s in limits.json is refused as policy_malformed', (_, change) => {
  const text = JSON.stringify({ ...limits, ...change })
  expect(() => readPolicyBundle(shipped().set('limits.json', bytes(text)), 'software')).toThrow(malformed)
})

const profile = readObject('profiles/software.json')
test.each([
  ['another profile in its place', { name: 'confidential' }, 'policy_malformed'],
  ['an unknown member', { mode: 'fast' }, 'policy_malformed'],
  ['another version', { version: 'parley-profile-v2' }, 'policy_malformed'],
  ['no surface', { surfaces: [] }, 'policy_malformed'],
  ['a surface twice', { surfaces: ['audit-log', 'audit-log'] }, 'policy_malformed'],
  ['a policy that is not there', { guardian_policy: 'other' }, 'policy_malformed'],
  ['a surface of another profile', { surfaces: ['sealed-store'] }, 'surface_missing'],
  ['a surface of no build', { surfaces: ['egress-tunnel'] }, 'surface_missing'],
  ['a surface named like a property of every object', { surfaces: ['constructor'] }, 'surface_missing'],
])('%s in a descriptor is refused', (_, change, code) => {
  const text = JSON.stringify({ ...profile, ...change })
  expect(() => readPolicyBundle(shipped().set('profiles/software.json', bytes(text)), 'software')).toThrow(
    expect.objectContaining({ code }),
  )
})

test('a link in the directory is refused as policy_malformed, wherever it leads', () => {
  const directory = temporaryDirectory()
  mkdirSync(join(directory, 'guardian'))
  writeFileSync(join(directory, 'limits.json'), '{}')
  symlinkSync(join(directory, 'limits.json'), join(directory, 'guardian', 'linked.json'))
  expect(() => readPolicyFiles(directory)).toThrow(malformed)
})

test('a file over 256 KiB is refused as policy_malformed', () => {
  const directory = temporaryDirectory()
  writeFileSync(join(directory, 'limits.json'), ' '.repeat(262_145))
  expect(() => readPolicyFiles(directory)).toThrow(malformed)
})

test('a directory that is not there is refused as policy_malformed', () => {
  expect(() => loadPolicyBundle(join(temporaryDirectory(), 'none'), 'software')).toThrow(malformed)
})
