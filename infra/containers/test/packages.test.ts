import { describe, expect, test } from 'vitest'
import { inRepository } from '../../../scripts/src/demo/paths.js'
import { IMAGES } from '../build/image.js'
import { installedIn, type Lock, packagesOf, readLock } from '../build/packages.js'

const LINK: Readonly<Record<string, string | boolean>> = { resolved: 'other', link: true }
const LOCK: Lock = {
  room: { name: '@parley/room', version: '1.0.0', dependencies: { a: '1', '@parley/other': '1' } },
  other: { name: '@parley/other', version: '1.0.0', dependencies: { a: '2' } },
  'node_modules/@parley/other': LINK,
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-AA==', optionalDependencies: { b: '1', c: '1' } },
  'other/node_modules/a': { version: '2.0.0', integrity: 'sha512-AQ==', dependencies: { room: '1' } },
  'node_modules/b': { version: '1.0.0', integrity: 'sha512-Ag==' },
  'node_modules/room': { version: '3.0.0', integrity: 'sha512-Aw==', dependencies: { a: '1' } },
  'node_modules/dev': { version: '1.0.0', integrity: 'sha512-BA==', dev: true },
}
const places = (isInstalled: (place: string) => boolean): string[] =>
  packagesOf(LOCK, 'room', isInstalled).map(({ place }) => place)

describe('what a room needs', () => {
  test('is what Node would find, each once, also where packages need each other', () => {
    expect(places(() => true)).toEqual([
      ...['node_modules/a', 'node_modules/b', 'node_modules/room', 'other', 'other/node_modules/a', 'room'],
    ])
  })

  test('has no optional package that is not installed', () => {
    expect(places(() => false)).not.toContain('node_modules/b')
  })

  test('that the lockfile does not place is an error', () => {
    const { 'node_modules/a': _, ...without } = LOCK
    expect(() => packagesOf(without, 'room', () => true)).toThrow(/does not place/)
    expect(() => packagesOf(LOCK, 'nowhere', () => true)).toThrow()
  })

  test.each(IMAGES)('of the image $name has no development package and no other room', ({ room }) => {
    const root = inRepository('')
    const found = packagesOf(readLock(root), room, installedIn(root))
    const names = found.map(({ name }) => name)
    expect(names).toContain(`@parley/${room}`)
    for (const each of ['typescript', 'vitest', 'esbuild', '@parley/scripts', '@parley/bench'])
      expect(names).not.toContain(each)
    if (room !== 'enclave') expect(names).not.toContain('@parley/enclave')
    // The proxy holds no key and parses no envelope: it has nothing to do it with.
    if (room === 'host-proxy') expect(names).not.toContain('@parley/guardian')
  })
})
