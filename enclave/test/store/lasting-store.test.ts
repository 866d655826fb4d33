import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLastingStore } from '../../src/store/lasting-store.js'
import { openLmdbStore } from '../../src/store/lmdb-store.js'
import type { Store } from '../../src/store/store.js'
import { bytes, fresh, temporaryDirectory } from '../boot.js'

const put = (key: string, value: string) => ({ kind: 'put' as const, key, value: bytes(value) })
const append = (log: string, index: number, value: string) => ({
  kind: 'append' as const,
  log,
  index,
  value: bytes(value),
})
const KEY = fresh(32)
const altered = expect.objectContaining({ code: 'record_altered' }) as Error

const opened = (directory: string, key = KEY): Store => openLastingStore(openLmdbStore(directory), key, fresh)

/** A process that does something with a store, and ends. */
async function boot(directory: string, use: (store: Store) => Promise<unknown>): Promise<void> {
  const store = opened(directory)
  await use(store)
  await store.close()
}

/** What the host sees of a store, and may put back. */
async function readRaw(directory: string): Promise<Map<string, Uint8Array>> {
  const raw = openLmdbStore(directory)
  const records = new Map(Array.from(raw.records(), ({ name, value }) => [name, value]))
  await raw.close()
  return records
}

async function writeRaw(directory: string, records: ReadonlyMap<string, Uint8Array>): Promise<void> {
  const raw = openLmdbStore(directory)
  await raw.commit(Array.from(records, ([key, value]) => ({ kind: 'put', key, value })))
  await raw.close()
}

/** Why a store does not open, where it does not. */
async function codeOfOpening(directory: string, key = KEY): Promise<string> {
  const raw = openLmdbStore(directory)
  try {
    openLastingStore(raw, key, fresh)
    return 'opened'
  } catch (error) {
    return (error as { code: string }).code
  } finally {
    await raw.close()
  }
}

/** The records that two states do not have in common. */
const changed = (before: ReadonlyMap<string, Uint8Array>, after: ReadonlyMap<string, Uint8Array>): string[] =>
  [...after].flatMap(([name, value]) =>
    Buffer.compare(value, before.get(name) ?? new Uint8Array()) === 0 ? [] : [name],
  )

test('what one process wrote, the next reads and goes on with', async () => {
  const directory = temporaryDirectory()
  await boot(directory, (store) => store.commit([put('a', '1'), append('l', 0, 'x')]))
  await boot(directory, async (store) => {
    expect(store.get('a')).toEqual(bytes('1'))
    expect(store.get('b')).toBeUndefined()
    await store.commit([put('a', '2'), put('b', '3'), append('l', 1, 'y')])
    expect(store.get('a')).toEqual(bytes('2'))
  })
  await boot(directory, (store) => {
    expect([store.get('a'), store.get('b')]).toEqual([bytes('2'), bytes('3')])
    expect(Array.from(store.log('l'))).toEqual([bytes('x'), bytes('y')])
    return Promise.resolve()
  })
})

test('a commit that is refused leaves the store as it was, for those beside it and after it too', async () => {
  const directory = temporaryDirectory()
  await boot(directory, async (store) => {
    const conflicting = { ...put('a', '2'), expect: 'absent' as const }
    const commits = [[put('a', '1')], [put('b', '0'), conflicting], [put('c', '3')], [append('l', 1, 'x')]]
    const settled = await Promise.allSettled(commits.map((writes) => store.commit(writes)))
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(store.get('b')).toBeUndefined()
    await store.commit([put('a', '4'), put('a', '5')])
  })
  await boot(directory, (store) => {
    expect(['a', 'b', 'c'].map((key) => store.get(key))).toEqual([bytes('5'), undefined, bytes('3')])
    return Promise.resolve()
  })
})

test('a store of another key is store_sealed_otherwise, and is not touched', async () => {
  const directory = temporaryDirectory()
  await boot(directory, (store) => store.commit([put('a', '1')]))
  const before = await readRaw(directory)
  expect(await codeOfOpening(directory, fresh(32))).toBe('store_sealed_otherwise')
  expect(await readRaw(directory)).toEqual(before)
  expect(await codeOfOpening(directory)).toBe('opened')
})

test('a whole earlier state opens: only heads that are carried tell it from the last one', async () => {
  const [directory, earlier] = [temporaryDirectory(), temporaryDirectory()]
  await boot(directory, (store) => store.commit([put('a', '1')]))
  cpSync(directory, earlier, { recursive: true })
  await boot(directory, (store) => store.commit([put('a', '2')]))
  expect(await codeOfOpening(earlier)).toBe('opened')
})

test('one record of an earlier state, with or without the manifest of that state, is record_altered', async () => {
  const directory = temporaryDirectory()
  await boot(directory, (store) => store.commit([put('tip', 'old'), put('other', '1')]))
  const before = await readRaw(directory)
  await boot(directory, async (store) => {
    await store.commit([put('tip', 'new'), put('known', '1')])
    await store.commit([put('other', '2')])
  })
  const after = await readRaw(directory)
  for (const name of changed(before, after)) {
    const old = before.get(name)
    if (old === undefined) continue
    await writeRaw(directory, new Map([[name, old]]))
    expect(await codeOfOpening(directory)).toBe('record_altered')
    await writeRaw(directory, after)
  }
  expect(await codeOfOpening(directory)).toBe('opened')
})

test('a record of another future of the same past is record_altered', async () => {
  const [one, other] = [temporaryDirectory(), temporaryDirectory()]
  await boot(one, (store) => store.commit([put('tip', '0')]))
  cpSync(one, other, { recursive: true })
  const past = await readRaw(one)
  await boot(one, (store) => store.commit([put('tip', '1'), put('only', 'here')]))
  await boot(other, (store) => store.commit([put('tip', '2')]))
  const foreign = await readRaw(other)
  const [first] = changed(past, foreign)
  if (first === undefined) throw new Error('nothing changed')
  for (const name of changed(past, foreign)) {
    const before = await readRaw(one)
    await writeRaw(one, new Map([[name, foreign.get(name) ?? fresh(1)]]))
    expect(await codeOfOpening(one)).toBe('record_altered')
    await writeRaw(one, before)
  }
})

test('records that the host invents, moves or leaves alone without their manifest do not open', async () => {
  const directory = temporaryDirectory()
  await boot(directory, (store) => store.commit([put('a', '1'), put('b', '2')]))
  const before = await readRaw(directory)
  const [[first, one] = ['', fresh(1)], [second, two] = ['', fresh(1)]] = [...before]
  await writeRaw(directory, new Map([['ab'.repeat(32), fresh(1052)]]))
  expect(await codeOfOpening(directory)).toBe('record_altered')
  const moved = temporaryDirectory()
  await writeRaw(moved, new Map([...before, [first, two], [second, one]]))
  expect(await codeOfOpening(moved)).toBe('record_altered')
  for (const [name] of before) {
    const less = temporaryDirectory()
    await writeRaw(less, new Map([...before].filter(([other]) => other !== name)))
    expect(await codeOfOpening(less)).toMatch(/^(?:record_altered|store_sealed_otherwise)$/)
  }
})

test('what the host changes while the store is open is record_altered', async () => {
  const directory = temporaryDirectory()
  const raw = openLmdbStore(directory)
  let old: readonly { readonly name: string; readonly value: Uint8Array }[] = []
  const store = openLastingStore(raw, KEY, fresh)
  await store.commit([put('a', '1'), append('l', 0, 'x')])
  old = Array.from(raw.records())
  await store.commit([put('a', '2')])
  await raw.commit(old.map(({ name, value }) => ({ kind: 'put', key: name, value })))
  expect(() => store.get('a')).toThrow(altered)
  const [entry] = Array.from(raw.entries())
  if (entry === undefined) throw new Error('no entry')
  await raw.commit([{ kind: 'append', log: entry.log, index: 1, value: entry.value }])
  expect(() => store.log('l')).toThrow(altered)
  await store.close()
})

test('nothing readable is in the raw files', async () => {
  const directory = temporaryDirectory()
  const canary = 'canary-ceiling-8675309'
  for (let round = 0; round < 2; round++)
    await boot(directory, (store) => store.commit([put(canary, canary), append(canary, round, canary)]))
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name)))
  for (const spelling of [
    canary,
    Buffer.from(canary).toString('hex'),
    Buffer.from(canary).toString('base64'),
  ])
    expect(files.some((file) => file.includes(spelling))).toBe(false)
})
