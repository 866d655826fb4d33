import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLmdbStore } from '../../src/store/lmdb-store.js'
import { sealStore } from '../../src/store/sealed-store.js'
import type { Store } from '../../src/store/store.js'
import { bytes, fresh, temporaryDirectory } from '../boot.js'
import { memoryStore } from '../session/memory-store.js'

const put = (key: string, value: string, expectation?: 'absent') => ({
  kind: 'put' as const,
  key,
  value: bytes(value),
  ...(expectation && { expect: expectation }),
})
const append = (log: string, index: number, value: string) => ({
  kind: 'append' as const,
  log,
  index,
  value: bytes(value),
})
const sealed = (inner: Store = memoryStore()): Store => sealStore(inner, fresh(32), fresh)
const altered = expect.objectContaining({ code: 'record_altered' }) as Error

test('a sealed store reads what it wrote, and keeps the expectations', async () => {
  const store = sealed()
  await store.commit([put('a', '1', 'absent'), append('l', 0, 'x')])
  await store.commit([put('a', '2'), append('l', 1, 'y')])
  expect(store.get('a')).toEqual(bytes('2'))
  expect(store.get('b')).toBeUndefined()
  expect(Array.from(store.log('l'))).toEqual([bytes('x'), bytes('y')])
  await expect(store.commit([put('a', '3', 'absent')])).rejects.toMatchObject({ code: 'store_conflict' })
  await expect(store.commit([append('l', 1, 'z')])).rejects.toMatchObject({ code: 'store_conflict' })
  expect(store.get('a')).toEqual(bytes('2'))
})

test('a read between two commits of one turn finds one of them', async () => {
  const store = sealed(openLmdbStore(temporaryDirectory()))
  await store.commit([put('a', '0')])
  const first = store.commit([put('a', '1')]).then(() => store.get('a'))
  const second = store.commit([put('a', '2')]).then(() => store.get('a'))
  expect(await Promise.all([first, second])).toEqual([bytes('2'), bytes('2')])
  await store.close()
})

test('a record that the host puts back to an earlier version is record_altered', async () => {
  const inner = memoryStore()
  const store = sealed(inner)
  await store.commit([put('a', 'old')])
  const [[name, old] = ['', new Uint8Array(0)]] = [...inner.records]
  await store.commit([put('a', 'new')])
  inner.records.set(name, old)
  expect(() => store.get('a')).toThrow(altered)
})

test('a record that the host takes away is record_altered', async () => {
  const inner = memoryStore()
  const store = sealed(inner)
  await store.commit([put('a', '1')])
  inner.records.clear()
  expect(() => store.get('a')).toThrow(altered)
})

test('a record that the host moves to another name is record_altered', async () => {
  const inner = memoryStore()
  const store = sealed(inner)
  await store.commit([put('a', '1'), put('b', '2')])
  const [[a, one] = ['', fresh(1)], [b, two] = ['', fresh(1)]] = [...inner.records]
  inner.records.set(a, two).set(b, one)
  expect(() => store.get('a')).toThrow(altered)
})

test('a record that the host invents is record_altered', async () => {
  const inner = memoryStore()
  const store = sealed(inner)
  await store.commit([put('a', '1')])
  const [[name] = ['']] = [...inner.records]
  for (const invented of [new Uint8Array(0), new Uint8Array(7), fresh(1100)]) {
    inner.records.set(name, invented)
    expect(() => store.get('a')).toThrow(altered)
  }
})

test('a log that the host cuts, or whose entries it swaps, is record_altered', async () => {
  const inner = memoryStore()
  let change = (entries: Uint8Array[]): Uint8Array[] => entries
  const store = sealed({ ...inner, log: (name) => change(Array.from(inner.log(name))) })
  await store.commit([append('l', 0, 'x')])
  await store.commit([append('l', 1, 'y')])
  change = (entries) => entries.slice(0, 1)
  expect(() => store.log('l')).toThrow(altered)
  change = (entries) => entries.toReversed()
  expect(() => store.log('l')).toThrow(altered)
})

const replace = (log: string, index: number, value: string) => ({
  ...append(log, index, value),
  kind: 'replace' as const,
})

test('an entry that was replaced is what took its place, and the one that the host puts back is record_altered', async () => {
  const inner = memoryStore()
  let change = (entries: Uint8Array[]): Uint8Array[] => entries
  const store = sealed({ ...inner, log: (name) => change(Array.from(inner.log(name))) })
  await store.commit([append('l', 0, 'x'), append('l', 1, 'y')])
  let old: Uint8Array[] = []
  change = (entries) => (old = entries)
  expect(store.log('l')).toEqual([bytes('x'), bytes('y')])
  change = (entries) => entries
  await store.commit([replace('l', 0, 'z')])
  expect(store.log('l')).toEqual([bytes('z'), bytes('y')])
  change = (entries) => old.slice(0, 1).concat(entries.slice(1))
  expect(() => store.log('l')).toThrow(altered)
})

test('a read beside a commit that replaces an entry finds one of them, and where it is refused the old one', async () => {
  const store = sealed(openLmdbStore(temporaryDirectory()))
  await store.commit([append('l', 0, 'x'), put('a', '1')])
  const refused = store.commit([replace('l', 0, 'z'), put('a', '2', 'absent')])
  await expect(refused).rejects.toMatchObject({ code: 'store_conflict' })
  expect(store.log('l')).toEqual([bytes('x')])
  const first = store.commit([put('a', '3')]).then(() => store.log('l'))
  const second = store.commit([replace('l', 0, 'z')]).then(() => store.log('l'))
  expect(await Promise.all([first, second])).toEqual([[bytes('z')], [bytes('z')]])
  await store.close()
})

const CANARY = 'canary "ceiling" 1\u20ac 8675309'
const spellings = (): Buffer[] => {
  const raw = Buffer.from(CANARY)
  const base64 = [0, 1, 2].map((shift) =>
    Buffer.concat([Buffer.alloc(shift), raw])
      .toString('base64')
      .slice(4, 20),
  )
  const texts = [raw.toString('hex'), JSON.stringify(CANARY).slice(1, -1), ...base64]
  return [raw, ...texts.map((text) => Buffer.from(text))]
}
const found = (directory: string): number =>
  readdirSync(directory)
    .map((name) => readFileSync(join(directory, name)))
    .reduce((sum, file) => sum + spellings().filter((spelling) => file.includes(spelling)).length, 0)

async function fillWithCanaries(store: Store): Promise<void> {
  const [raw = Buffer.alloc(0), ...others] = spellings()
  for (let round = 0; round < 3; round++) {
    await store.commit([
      { kind: 'put', key: 'value', value: raw },
      { kind: 'append', log: 'log', index: round, value: new Uint8Array(Buffer.concat([raw, ...others])) },
      put(`name ${CANARY}`, 'value'),
    ])
  }
  await store.close()
}

test('no canary is found in the raw files of a sealed store, in any spelling', async () => {
  const directory = temporaryDirectory()
  await fillWithCanaries(sealed(openLmdbStore(directory)))
  expect(found(directory)).toBe(0)
})

test('the same search finds every spelling in a plain store', async () => {
  const directory = temporaryDirectory()
  await fillWithCanaries(openLmdbStore(directory))
  expect(found(directory)).toBe(spellings().length)
})

const ORDERS = [1, 7, 31].map((step) => Array.from({ length: 60 }, (_, at) => String((at * step) % 61)))

/** The size of the file after each commit of the same records, of which only the names come in another order. */
async function fileSizes(
  names: readonly string[],
  open: (directory: string) => Store,
): Promise<readonly number[]> {
  const directory = temporaryDirectory()
  const store = open(directory)
  const sizes: number[] = []
  for (const [at, name] of names.entries()) {
    await store.commit([append('l', at, 'x'), put(name, 'y'.repeat(1000)), put('last', name)])
    sizes.push(statSync(join(directory, 'data.mdb')).size)
  }
  await store.close()
  return sizes
}

test('the file of a sealed store grows alike, whatever the names in it', async () => {
  const open = (directory: string): Store => sealed(openLmdbStore(directory))
  const [first, ...others] = await Promise.all(ORDERS.map((names) => fileSizes(names, open)))
  for (const sizes of others) expect(sizes).toEqual(first)
})

test('a refused commit leaves a record and a log that were never written', async () => {
  const store = sealed(openLmdbStore(temporaryDirectory()))
  await store.commit([put('a', '1')])
  const refused = store.commit([put('b', '2'), append('l', 0, 'x'), put('a', '3', 'absent')])
  await expect(refused).rejects.toMatchObject({ code: 'store_conflict' })
  expect(store.get('b')).toBeUndefined()
  expect(Array.from(store.log('l'))).toEqual([])
  await store.commit([put('b', '4', 'absent'), append('l', 0, 'y')])
  expect(store.get('b')).toEqual(bytes('4'))
  await store.close()
})
