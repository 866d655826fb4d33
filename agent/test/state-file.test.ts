import { chmod, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { canonicalize } from '@parley/protocol'
import { expect, test } from 'vitest'
import { readPrivateFile, replacePrivateFile } from '../src/private-file.js'
import { StateFile } from '../src/state-file.js'
import { freshFolder } from './double/stage.js'

/** A file of one number, and how often it was read. */
const counted = async () => {
  const path = join(await freshFolder(), 'file')
  const reads: string[] = []
  const file = new StateFile(path, (at) => {
    reads.push(at)
    return Number(readPrivateFile(at).toString())
  })
  return { path, reads, file }
}

const plusOne = (held: number | null) => ({ value: (held ?? 0) + 1, json: (held ?? 0) + 1 })

test('a file that nobody else touched is read once', async () => {
  const { path, reads, file } = await counted()
  await replacePrivateFile(path, '7')
  expect([file.current(), file.current()]).toEqual([7, 7])
  expect(await file.update(plusOne)).toBe(8)
  expect(file.current()).toBe(8)
  expect(await readFile(path, 'utf8')).toBe(canonicalize(8))
  expect(reads).toHaveLength(1)
})

test('a file that another process replaced is read anew, before a change and without one', async () => {
  const { path, file } = await counted()
  expect(await file.update(plusOne)).toBe(1)
  await replacePrivateFile(path, '41')
  expect(await file.update(plusOne)).toBe(42)
  await replacePrivateFile(path, '9')
  expect(file.current()).toBe(9)
})

test('a file that was written in place is read anew, though its size and its time are as before', async () => {
  const { path, file } = await counted()
  await replacePrivateFile(path, '1')
  const past = new Date(1_700_000_000_000)
  await utimes(path, past, past)
  expect(file.current()).toBe(1)
  await writeFile(path, '2')
  await utimes(path, past, past)
  expect(file.current()).toBe(2)
})

test('a file that was opened to others meanwhile is refused', async () => {
  const { path, file } = await counted()
  await file.update(plusOne)
  await chmod(path, 0o644)
  expect(() => file.current()).toThrow(expect.objectContaining({ code: 'file_not_private' }))
  await expect(file.update(plusOne)).rejects.toMatchObject({ code: 'file_not_private' })
})

test('a file that is gone is state_missing, and begins anew with a change', async () => {
  const { path, file } = await counted()
  await file.update(plusOne)
  await rm(path)
  expect(() => file.current()).toThrow(expect.objectContaining({ code: 'state_missing' }))
  expect(await file.update(plusOne)).toBe(1)
})

test('a change that is none, or fails, leaves the file as it is', async () => {
  const { path, file } = await counted()
  await file.update(plusOne)
  expect(await file.update(() => null)).toBe(1)
  const failing = file.update(() => {
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await readFile(path, 'utf8')).toBe('1')
})
