import { join } from 'node:path'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { openLmdbStore } from '../../src/store/lmdb-store.js'
import { bytes, temporaryDirectory } from '../boot.js'

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

test('what was committed is there after the store is opened again', async () => {
  const directory = temporaryDirectory()
  const first = openLmdbStore(directory)
  await first.commit([put('a', '1'), append('l', 0, 'x'), append('l', 1, 'y')])
  await first.close()
  const second = openLmdbStore(directory)
  expect(second.get('a')).toEqual(bytes('1'))
  expect(Array.from(second.log('l'))).toEqual([bytes('x'), bytes('y')])
  await second.close()
})

test('what was never written is undefined, and a log that was never written is empty', async () => {
  const store = openLmdbStore(temporaryDirectory())
  expect(store.get('a')).toBeUndefined()
  expect(Array.from(store.log('a'))).toEqual([])
  await store.close()
})

test('a log holds its own entries only, in order, past ten', async () => {
  const store = openLmdbStore(temporaryDirectory())
  for (let index = 0; index < 12; index++)
    await store.commit([append('log', index, String(index)), append('log/2', index, 'other')])
  expect(Array.from(store.log('log'), (entry) => new TextDecoder().decode(entry))).toEqual(
    Array.from({ length: 12 }, (_, index) => String(index)),
  )
  await store.close()
})

test('a record that exists fails an expectation of absence, and nothing of that commit is written', async () => {
  const store = openLmdbStore(temporaryDirectory())
  await store.commit([put('a', '1')])
  await expect(store.commit([put('b', '2'), put('a', '3', 'absent')])).rejects.toMatchObject({
    code: 'store_conflict',
  })
  expect(store.get('a')).toEqual(bytes('1'))
  expect(store.get('b')).toBeUndefined()
  await store.close()
})

test.each([
  ['a gap', 1],
  ['a repeated index', -1],
])('%s in a log is refused as store_conflict', async (_, offset) => {
  const store = openLmdbStore(temporaryDirectory())
  await store.commit([append('l', 0, 'x')])
  await expect(store.commit([append('l', 1 + offset, 'y')])).rejects.toMatchObject({ code: 'store_conflict' })
  expect(Array.from(store.log('l'))).toEqual([bytes('x')])
  await store.close()
})

test('commits of one turn are each all or nothing, in the order in which they came', async () => {
  const store = openLmdbStore(temporaryDirectory())
  const outcomes = await Promise.allSettled([
    store.commit([put('a', 'first', 'absent')]),
    store.commit([put('x', '1'), put('a', 'second', 'absent')]),
    store.commit([put('a', 'third')]),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(store.get('a')).toEqual(bytes('third'))
  expect(store.get('x')).toBeUndefined()
  await store.close()
})

test('a commit sees its own earlier writes', async () => {
  const store = openLmdbStore(temporaryDirectory())
  await expect(store.commit([put('a', '1'), put('a', '2', 'absent')])).rejects.toMatchObject({
    code: 'store_conflict',
  })
  await store.close()
})

test('a close flushes what waits, and a commit after it is refused as store_failed', async () => {
  const directory = temporaryDirectory()
  const store = openLmdbStore(directory)
  const waiting = store.commit([put('a', '1')])
  await store.close()
  await waiting
  await expect(store.commit([put('a', '2')])).rejects.toMatchObject({ code: 'store_failed' })
  const again = openLmdbStore(directory)
  expect(again.get('a')).toEqual(bytes('1'))
  await again.close()
})

test('a directory that cannot be one is refused as store_failed', () => {
  const file = join(temporaryDirectory(), 'file')
  writeFileSync(file, 'no directory')
  expect(() => openLmdbStore(join(file, 'store'))).toThrow(expect.objectContaining({ code: 'store_failed' }))
})
