import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hash, isJsonObject, parseJson, sha256, toHex } from '@parley/protocol'
import { expect, test } from 'vitest'
import { loadPolicyBundle, readPolicyBundle } from '../src/policy-bundle.js'
import { parseProfileDescriptor, checkSurfaces } from '../src/policy/profile.js'
import { readPolicyFiles } from '../src/policy/policy-files.js'
import { SHIPPED_REGISTRY } from '../src/policy/read-registry.js'
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
  expect(bundle.guardianPolicies.get(bundle.defaultGuardianPolicy)).toMatchObject({
    policy_id: 'bounded_signal_v1',
  })
})

test('the hash of a bundle is that of its paths and the digests of their bytes', () => {
  const digests = Array.from(shipped(), ([path, file]) => [path, toHex(sha256(file))] as const)
  expect(loadPolicyBundle(POLICY_DIRECTORY, 'software').hash).toBe(hash(Object.fromEntries(digests)))
})

test('what a bundle admits is of the registry that it pins, and every admitted policy is there by its hash', () => {
  const { registry, guardianPolicies } = loadPolicyBundle(POLICY_DIRECTORY, 'software')
  expect(registry.rootHash).toBe(readObject('registry-admission.json')['registry_root'])
  expect([...guardianPolicies.keys()].sort()).toEqual(
    registry
      .list('policy')
      .map(({ hash }) => hash)
      .sort(),
  )
  for (const [digest, policy] of guardianPolicies) expect(hash(policy)).toBe(digest)
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

test.each([['limits.json'], ['profiles/software.json'], ['registry-admission.json']])(
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
  'guardian/bounded-signal.json',
  'profiles/deep/x.json',
  'profiles/Software.json',
  'profiles/x.json.bak',
])('a bundle that also holds %s is refused as policy_malformed', (path) => {
  expect(() => readPolicyBundle(shipped().set(path, bytes('{}')), 'software')).toThrow(malformed)
})

test.each([
  ['no JSON', 'limits.json', '{'],
  ['no object', 'limits.json', '[]'],
  ['a member named twice', 'limits.json', '{"a":1,"a":1}'],
  ['no JSON', 'registry-admission.json', ''],
  ['another version', 'registry-admission.json', '{"version":"parley-registry-admission-v2"}'],
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

const admission = readObject('registry-admission.json')
test.each([
  ['another registry', { registry_root: 'ab'.repeat(32) }],
  ['a policy that the registry lacks', { policies: { allow: [`sha256:${'ab'.repeat(32)}`] } }],
  ['no policy, while the profile names one', { policies: { allow: [] } }],
  ['a hash without its prefix', { policies: { allow: ['ab'.repeat(32)] } }],
  ['a hash twice', { programs: { allow: [`sha256:${'ab'.repeat(32)}`, `sha256:${'ab'.repeat(32)}`] } }],
  ['an unknown kind', { receipts: { allow: [] } }],
  ['a kind left out', { schemas: undefined }],
])('an admission list with %s is refused as policy_malformed', (_, change) => {
  const text = JSON.stringify({ ...admission, ...change })
  expect(() => readPolicyBundle(shipped().set('registry-admission.json', bytes(text)), 'software')).toThrow(
    malformed,
  )
})

const changedRegistry = (change: (directory: string) => void): string => {
  const directory = join(temporaryDirectory(), 'registry')
  cpSync(SHIPPED_REGISTRY, directory, { recursive: true })
  change(directory)
  return directory
}

test('a registry is known by its root hash, wherever it lies and whatever lies beside it', () => {
  const directory = changedRegistry((at) => {
    writeFileSync(join(at, 'NOTES'), 'for people')
  })
  const { hash: before } = loadPolicyBundle(POLICY_DIRECTORY, 'software')
  expect(loadPolicyBundle(POLICY_DIRECTORY, 'software', directory).hash).toBe(before)
})

test.each<[string, (directory: string) => void]>([
  [
    'a changed index',
    (at) => {
      writeFileSync(join(at, 'schemas/index.json'), '{}')
    },
  ],
  [
    'a stray artefact',
    (at) => {
      writeFileSync(join(at, `schemas/sha256-${'ab'.repeat(32)}.json`), '{}')
    },
  ],
  [
    'no header',
    (at) => {
      rmSync(join(at, 'registry.json'))
    },
  ],
  [
    'no programs',
    (at) => {
      rmSync(join(at, 'programs'), { recursive: true })
    },
  ],
  [
    'a file over 256 KiB',
    (at) => {
      writeFileSync(join(at, 'registry.json'), ' '.repeat(262_145))
    },
  ],
])('a registry with %s is refused as policy_malformed', (_, change) => {
  expect(() => loadPolicyBundle(POLICY_DIRECTORY, 'software', changedRegistry(change))).toThrow(malformed)
})

const profile = readObject('profiles/software.json')
test.each([
  ['another profile in its place', { name: 'confidential' }, 'policy_malformed'],
  ['an unknown member', { mode: 'fast' }, 'policy_malformed'],
  ['another version', { version: 'parley-profile-v2' }, 'policy_malformed'],
  ['no surface', { surfaces: [] }, 'policy_malformed'],
  ['a surface twice', { surfaces: ['audit-log', 'audit-log'] }, 'policy_malformed'],
  ['a policy that is not there', { guardian_policy: 'other' }, 'policy_malformed'],
  [
    'a policy by a channel, which may come to lead elsewhere',
    { guardian_policy: 'bounded-signal@latest' },
    'policy_malformed',
  ],
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
  mkdirSync(join(directory, 'profiles'))
  writeFileSync(join(directory, 'limits.json'), '{}')
  symlinkSync(join(directory, 'limits.json'), join(directory, 'profiles', 'linked.json'))
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
