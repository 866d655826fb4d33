import { hash, type JsonObject, type JsonValue, parseJson, ProtocolError, utf8 } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadRegistry } from '../../src/registry/index.js'
import { edited, entry, file, filesOf, pathOf, referenceOf } from './small-registry.js'

const first = { type: 'boolean' }
const second = { type: 'null' }
const files = filesOf([
  { kind: 'schema', id: 'b-flag', object: first },
  { kind: 'schema', id: 'a-nothing', object: second, more: { status: 'deprecated' } },
  { kind: 'policy', id: 'constructor', object: { policy: true } },
])
const registry = loadRegistry(files)
const INDEX = 'schemas/index.json'

describe('a registry', () => {
  test('gives an artefact by its hash, and only in its own kind', () => {
    expect(registry.artefact('schema', hash(first))).toEqual(first)
    expect(registry.artefact('policy', hash(first))).toBeUndefined()
    expect(registry.artefact('schema', 'ab'.repeat(32))).toBeUndefined()
    expect(registry.artefact('schema', referenceOf(first))).toBeUndefined()
  })

  test.each(['b-flag', 'b-flag@latest', hash(first), referenceOf(first)])('resolves %s', (reference) => {
    expect(registry.resolve('schema', reference)).toBe(hash(first))
  })

  test.each([
    'b-flag@stable',
    'B-FLAG',
    'c-flag',
    '',
    '__proto__',
    'toString',
    'ab'.repeat(32),
    `sha256:${'ab'.repeat(32)}`,
    hash(first).toUpperCase(),
    `sha512:${hash(first)}`,
  ])('resolves no %j', (reference) => {
    expect(registry.resolve('schema', reference)).toBeUndefined()
  })

  test('takes a name that every object has for a name', () => {
    expect(registry.resolve('policy', 'constructor')).toBe(hash({ policy: true }))
    expect(registry.resolve('schema', 'constructor')).toBeUndefined()
  })

  test('lists what its index says, in the order of ids', () => {
    expect(registry.list('schema')).toEqual([
      { ...entry('a-nothing'), status: 'deprecated', hash: hash(second) },
      { ...entry('b-flag'), hash: hash(first) },
    ])
    expect(registry.list('program')).toEqual([])
  })

  test('has a root hash over the path and the content of every file', () => {
    const contents = Array.from(files, ([path, bytes]) => [path, hash(parseJson(bytes))] as const)
    expect(registry.rootHash).toBe(hash(Object.fromEntries(contents)))
  })

  test('keeps its root hash however its files are laid out, and loses it with any change of what they say', () => {
    const spread = new Map(
      Array.from(files, ([path, bytes]) => [path, utf8(JSON.stringify(parseJson(bytes), null, 2))] as const),
    )
    expect(loadRegistry(spread).rootHash).toBe(registry.rootHash)
    const described = edited(files, INDEX, (index) => ({
      ...index,
      artefacts: {
        ...asObject(index['artefacts']),
        [referenceOf(first)]: entry('b-flag', { description: 'x' }),
      },
    }))
    expect(loadRegistry(described).rootHash).not.toBe(registry.rootHash)
  })
})

const asObject = (value: JsonValue | undefined): JsonObject => value as JsonObject
const malformed = expect.objectContaining({ code: 'object_malformed' }) as Error
const without = (path: string) => new Map([...files].filter(([name]) => name !== path))
const changed = (member: string, change: JsonObject) =>
  edited(files, INDEX, (index) => ({ ...index, [member]: { ...asObject(index[member]), ...change } }))

describe('a registry is refused', () => {
  test.each<[string, ReadonlyMap<string, Uint8Array>]>([
    ['without its header', without('registry.json')],
    ['without an index', without('programs/index.json')],
    ['without an artefact that is listed', without(pathOf('schema', first))],
    ['with an artefact that is not listed', new Map(files).set(pathOf('schema', { a: 1 }), file({ a: 1 }))],
    ['with an artefact of another folder', new Map(files).set(pathOf('program', first), file(first))],
    ['with another file', new Map(files).set('schemas/README.md', file({}))],
    ['with a file of another folder', new Map(files).set('receipts/index.json', file({}))],
    ['with an artefact under another’s name', new Map(files).set(pathOf('schema', first), file(second))],
    [
      'with one byte of an artefact changed',
      new Map(files).set(pathOf('schema', first), file({ type: 'Boolean' })),
    ],
    ['with an array as artefact', listed([])],
    ['with a text as artefact', listed('text')],
    [
      'of another version',
      edited(files, 'registry.json', (header) => ({ ...header, registry_version: '2' })),
    ],
    [
      'with a kind more',
      edited(files, 'registry.json', (header) => ({ ...header, kinds: ['schema', 'receipt'] })),
    ],
    [
      'with an index elsewhere',
      edited(files, 'registry.json', (header) => ({ ...header, indexes: { schema: '../x' } })),
    ],
    [
      'with an unknown member in the header',
      edited(files, 'registry.json', (header) => ({ ...header, note: '' })),
    ],
    ['with an index of another kind', edited(files, INDEX, (index) => ({ ...index, kind: 'policy' }))],
    ['with an unknown member in an index', edited(files, INDEX, (index) => ({ ...index, note: '' }))],
    ['with an alias that leads nowhere', changed('aliases', { x: `sha256:${'ab'.repeat(32)}` })],
    ['with a channel that leads nowhere', changed('channels', { 'x@latest': `sha256:${'ab'.repeat(32)}` })],
    ['with an alias to another kind', changed('aliases', { x: referenceOf({ policy: true }) })],
    ['with an alias that is a channel', changed('aliases', { 'x@latest': referenceOf(first) })],
    ['with an alias that could be a hash', changed('aliases', { ['ab'.repeat(32)]: referenceOf(first) })],
    ['with an alias with a slash', changed('aliases', { '../x': referenceOf(first) })],
    ['with an alias of capitals', changed('aliases', { X: referenceOf(first) })],
    ['with a channel of another name', changed('channels', { 'x@stable': referenceOf(first) })],
    ['with an alias to a bare hash', changed('aliases', { x: hash(first) })],
    ['with a list of aliases', edited(files, INDEX, (index) => ({ ...index, aliases: [] }))],
    ['with two artefacts of one id and version', described({ id: 'a-nothing', status: 'active' })],
    ['with an unknown status', described({ status: 'retired' })],
    ['with a day that is none', described({ published_at: 'yesterday' })],
    ['with an unknown class', described({ compatibility: { safety_class: 'OPEN' } })],
    ['with an unknown member in an entry', described({ author: 'x' })],
    ['with an empty id', described({ id: '' })],
    ['with a hash in capitals', changed('artefacts', { [referenceOf(first).toUpperCase()]: entry('x') })],
  ])('%s', (_, broken) => {
    expect(() => loadRegistry(broken)).toThrow(malformed)
  })

  test('with an alias that stands twice in its index', () => {
    const twice = `{"version":"1","kind":"profile","artefacts":{},"aliases":{"x":"1","x":"1"},"channels":{}}`
    expect(() => loadRegistry(new Map(files).set('profiles/index.json', utf8(twice)))).toThrow(
      expect.objectContaining({ code: 'json_malformed' }),
    )
  })

  test('with a file that is no JSON', () => {
    expect(() => loadRegistry(new Map(files).set(INDEX, utf8('{')))).toThrow(
      expect.objectContaining({ code: 'json_malformed' }),
    )
  })
})

function described(change: JsonObject) {
  return changed('artefacts', { [referenceOf(first)]: entry('b-flag', change) })
}

function listed(value: JsonValue) {
  const path = `schemas/sha256-${hash(value)}.json`
  return changed('artefacts', { [`sha256:${hash(value)}`]: entry('x') }).set(path, file(value))
}

test('whatever one file is replaced by, loading succeeds or throws a ProtocolError', () => {
  const paths = [...files.keys()]
  fc.assert(
    fc.property(fc.constantFrom(...paths), fc.oneof(fc.json(), fc.string()), (path, text) => {
      try {
        loadRegistry(new Map(files).set(path, utf8(text.toWellFormed())))
      } catch (error) {
        expect(error).toBeInstanceOf(ProtocolError)
      }
    }),
  )
})
