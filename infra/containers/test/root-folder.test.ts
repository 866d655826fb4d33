import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { objectAt } from '../../../scripts/src/demo/json-object.js'
import { inRepository } from '../../../scripts/src/demo/paths.js'
import { billOfMaterials } from '../build/bill-of-materials.js'
import { IMAGES } from '../build/image.js'
import { librariesOf } from '../build/libraries.js'
import { installedIn, packagesOf, readLock } from '../build/packages.js'
import { type Contents, packRootFolder, writeRootFolder } from '../build/root-folder.js'

const root = inRepository('')
const node = process.execPath
const scratch = mkdtempSync(join(tmpdir(), 'parley-root-'))

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})

const contentsOf = (name: string): Contents => {
  const [image] = IMAGES.filter((each) => each.name === name)
  if (image === undefined) throw new Error(`no image ${name}`)
  const packages = packagesOf(readLock(root), image.room, installedIn(root))
  return { image, root, node, libraries: librariesOf([node]), packages }
}

const packed = (contents: Contents, name: string): string => {
  const folder = join(scratch, name)
  mkdirSync(folder)
  writeRootFolder(contents, folder)
  packRootFolder(folder, `${folder}.tar`)
  return `${folder}.tar`
}

const listOf = (value: JsonValue | undefined): readonly JsonObject[] =>
  value !== undefined && isJsonArray(value) ? value.filter((each) => isJsonObject(each)) : []

const linesOf = (archive: string, ...more: readonly string[]): string[] =>
  execFileSync('tar', ['--list', '--file', archive, ...more], { encoding: 'utf8', maxBuffer: 2 ** 26 })
    .trim()
    .split('\n')

describe('a root file system', () => {
  const contents = contentsOf('host-proxy')
  let archive: string

  beforeAll(() => {
    archive = packed(contents, 'one')
  })

  test('has the same bytes if it is made twice, in different folders', () => {
    const digestOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
    expect(digestOf(packed(contents, 'another'))).toBe(digestOf(archive))
  })

  test('holds Node, its libraries and the room, and no shell, source or test', () => {
    const paths = linesOf(archive)
    expect(paths).toEqual(
      expect.arrayContaining(['./usr/bin/node', './etc/parley/proxy.json', './app/host-proxy/dist/main.js']),
    )
    for (const { path } of contents.libraries) expect(paths).toContain(`.${path}`)
    expect(paths.filter((path) => /\/(?:sh|bash|busybox|apt|dpkg)$|\.map$|\.d\.ts$/.test(path))).toEqual([])
    expect(paths.filter((path) => /^\.\/app\/[a-z-]+\/(?:src|test|vectors)\//.test(path))).toEqual([])
  })

  test('is root’s and writable by nobody else, but for the one folder of its user', () => {
    const rows = linesOf(archive, '--verbose', '--numeric-owner')
    const others = rows.filter((row) => !row.includes(' 0/0 '))
    expect(others).toHaveLength(1)
    expect(others[0]).toMatch(/^drwxr-xr-x 65532\/65532 .* \.\/var\/lib\/parley\/$/)
    expect(rows.filter((row) => !row.startsWith('l') && /^.(?:.{4}w|.{7}w)/.test(row))).toEqual([])
  })
})

describe.each(IMAGES.map(({ name }) => name))('the bill of materials of %s', (name) => {
  const contents = contentsOf(name)
  const bom = billOfMaterials(contents, process.version)
  const components = listOf(bom['components']).map((each) => ({
    purl: each['purl'],
    hashes: each['hashes'],
  }))

  test('names Node, each library and each package, once', () => {
    expect(objectAt(objectAt(bom, 'metadata'), 'component')).toMatchObject({ name: `parley/${name}` })
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    const { libraries, packages } = contents
    expect(components).toHaveLength(1 + libraries.length + packages.length)
    expect(components[0]?.purl).toBe(`pkg:generic/node@${process.versions.node}`)
    const purls = components.map(({ purl }) => purl)
    for (const each of packages)
      expect(purls).toContain(`pkg:npm/${each.name.replace('@', '%40')}@${each.version}`)
  })

  test('has the hash that the lockfile pins, for all that is not of this repository', () => {
    const bare = components.filter(({ hashes }) => hashes === undefined)
    expect(
      bare.filter(({ purl }) => typeof purl !== 'string' || !purl.startsWith('pkg:npm/%40parley/')),
    ).toEqual([])
    expect(JSON.stringify(components)).not.toContain('"content":""')
  })

  test('has no time and no number of its own', () => {
    expect(Object.keys(bom)).toEqual(['bomFormat', 'specVersion', 'version', 'metadata', 'components'])
    expect(billOfMaterials(contents, process.version)).toEqual(bom)
  })
})
