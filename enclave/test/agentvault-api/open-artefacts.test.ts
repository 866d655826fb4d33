import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ARTEFACT_FOLDERS, ARTEFACT_KINDS } from '@parley/guardian'
import { hash, type JsonObject } from '@parley/protocol'
import { expect, test } from 'vitest'
import { openArtefacts } from '../../src/agentvault-api/open-artefacts.js'
import { temporaryDirectory } from '../boot.js'
import { bundleOf, NARROWING, POLICY, PROMPT, SCHEMA } from './artefacts.js'

/** A registry of one policy and one prompt program. */
function registryDirectory(policy: JsonObject, program: JsonObject): string {
  const directory = temporaryDirectory()
  const write = (path: string, value: JsonObject): void => {
    writeFileSync(join(directory, path), JSON.stringify(value))
  }
  const indexes = ARTEFACT_KINDS.map((kind) => [kind, `${ARTEFACT_FOLDERS[kind]}/index.json`] as const)
  write('registry.json', {
    registry_version: '1',
    kinds: [...ARTEFACT_KINDS],
    indexes: Object.fromEntries(indexes),
  })
  for (const [kind, path] of indexes) {
    mkdirSync(join(directory, ARTEFACT_FOLDERS[kind]))
    const shelf = kind === 'policy' ? [policy] : kind === 'program' ? [program] : []
    for (const artefact of shelf) write(`${ARTEFACT_FOLDERS[kind]}/sha256-${hash(artefact)}.json`, artefact)
    const entry = {
      id: kind,
      version: '1',
      description: kind,
      status: 'active',
      published_at: '2026-01-01',
      compatibility: { safety_class: 'SAFE' },
    }
    const artefacts = Object.fromEntries(shelf.map((artefact) => [`sha256:${hash(artefact)}`, entry]))
    write(path, { version: '1', kind, artefacts, aliases: {}, channels: {} })
  }
  return directory
}

test('the bundle alone gives what it admits', () => {
  const { registry, policies, defaultPolicy, schemaHashes } = openArtefacts(bundleOf(), null)
  expect([...policies.keys()]).toEqual([hash(POLICY), hash(NARROWING)])
  expect(defaultPolicy.policy_id).toBe('codes_only')
  expect(schemaHashes).toEqual([hash(SCHEMA)])
  expect(registry.artefact('program', hash(PROMPT))).toEqual(PROMPT)
})

test('a directory gives more, and the default policy stays the bundle’s', () => {
  const policy = { ...POLICY, policy_id: 'another' }
  const program = { ...PROMPT, system_instruction: 'Another.' }
  const opened = openArtefacts(bundleOf(), registryDirectory(policy, program))
  expect(opened.policies.get(hash(policy))).toEqual(policy)
  expect(opened.defaultPolicy.policy_id).toBe('codes_only')
  expect(opened.registry.artefact('program', hash(program))).toEqual(program)
  expect(opened.registry.artefact('program', hash(PROMPT))).toEqual(PROMPT)
  expect(opened.registry.resolve('program', `sha256:${hash(program)}`)).toBe(hash(program))
  expect(opened.registry.list('policy')).toHaveLength(3)
})

test.each([
  ['a policy that is none', () => registryDirectory({ policy_id: 'x' }, PROMPT)],
  ['nothing', () => temporaryDirectory()],
  ['no directory', () => join(temporaryDirectory(), 'none')],
])('a directory with %s is policy_malformed', (_, directory) => {
  expect(() => openArtefacts(bundleOf(), directory())).toThrow(
    expect.objectContaining({ code: 'policy_malformed' }),
  )
})

test('a bundle whose default policy is missing is policy_malformed', () => {
  const bundle = { ...bundleOf(), defaultGuardianPolicy: '00'.repeat(32) }
  expect(() => openArtefacts(bundle, null)).toThrow(expect.objectContaining({ code: 'policy_malformed' }))
})
