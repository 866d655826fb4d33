import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, symlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withFileLock } from '../src/file-lock.js'
import { freshFolder } from './double/stage.js'

/** The id of a process that has ended. */
const deadPid = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', ''])
  await once(child, 'exit')
  return child.pid ?? 0
}
const yes = () => Promise.resolve('changed')

test('one change is made at a time', async () => {
  const path = join(await freshFolder(), 'folder', 'file')
  let inside = 0
  const change = async () => {
    expect(++inside).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(path, change)))
})

test('a change that fails frees the file, and leaves nothing behind', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'file')
  await expect(withFileLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await withFileLock(path, yes, 1)).toBe('changed')
  expect(await readdir(folder)).toEqual([])
})

test('the lock of a process that died is broken, by many at once as by one', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'file')
  await symlink(`${await deadPid()} ${hostname()} x`, `${path}.lock`)
  let inside = 0
  const change = async () => {
    expect(++inside).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    inside--
  }
  await Promise.all(Array.from({ length: 8 }, () => withFileLock(path, change)))
  expect(await readdir(folder)).toEqual([])
})

test('the lock of an earlier process of the same id is broken', async () => {
  const path = join(await freshFolder(), 'file')
  await symlink(`${process.pid} ${hostname()} x`, `${path}.lock`)
  expect(await withFileLock(path, yes)).toBe('changed')
})

test.each<[string, string]>([
  ['a process that lives', `${process.ppid} ${hostname()} x`],
  ['a process of another machine', `1 elsewhere-${hostname()} x`],
  ['nobody knows whom', 'somebody'],
])('the lock of %s is waited for, and not broken', async (_, holder) => {
  const folder = await freshFolder()
  const path = join(folder, 'file')
  await symlink(holder, `${path}.lock`)
  await expect(withFileLock(path, yes, 3)).rejects.toMatchObject({ code: 'state_locked' })
  expect(await readdir(folder)).toEqual(['file.lock'])
})
