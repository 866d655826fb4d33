import { utf8 } from '@parley/protocol'
import { expect, test } from 'vitest'
import { ARTEFACT_FOLDERS, registryFiles } from '../../src/registry/index.js'

const directory = (more: Readonly<Record<string, readonly string[]>> = {}) => ({
  names: (folder: string) => ['index.json', ...(more[folder] ?? [])],
  read: (path: string) => utf8(path),
})

test('the header, every index and whatever is named like an artefact is read, each by its path', () => {
  const files = registryFiles(
    directory({ schemas: ['sha256-a.json', 'sha256-b.json.bak'], programs: ['sha256-'] }),
  )
  expect([...files.keys()].sort()).toEqual(
    [
      'registry.json',
      ...Object.values(ARTEFACT_FOLDERS).map((folder) => `${folder}/index.json`),
      'schemas/sha256-a.json',
      'schemas/sha256-b.json.bak',
      'programs/sha256-',
    ].sort(),
  )
  for (const [path, bytes] of files) expect(bytes).toEqual(utf8(path))
})

test('what people put beside it is not read', () => {
  const read = (path: string) => {
    if (/README|notes/.test(path)) throw new Error(path)
    return utf8('')
  }
  expect(() => registryFiles({ ...directory({ policies: ['README.md', 'notes.json'] }), read })).not.toThrow()
})

test('a folder without its index has none to give', () => {
  expect(registryFiles({ names: () => [], read: utf8 }).has('schemas/index.json')).toBe(false)
})
