import { chmod, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createPrivateFile, readPrivateFile, replacePrivateFile } from '../src/private-file.js'
import { freshFolder } from './double/stage.js'

test('a file is its owner’s alone, and so is a folder made for it', async () => {
  const path = join(await freshFolder(), 'a', 'b', 'file')
  await replacePrivateFile(path, 'one')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700)
  expect(Buffer.from(readPrivateFile(path)).toString()).toBe('one')
})

test('a file is replaced whole, by another file', async () => {
  const path = join(await freshFolder(), 'file')
  await replacePrivateFile(path, 'one')
  const { ino } = await stat(path)
  await replacePrivateFile(path, 'two')
  expect((await stat(path)).ino).not.toBe(ino)
  expect(await readFile(path, 'utf8')).toBe('two')
})

test('a write that was cut off before its end leaves the old content', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'file')
  await replacePrivateFile(path, 'one')
  await writeFile(`${path}.0b8a`, 'tw', { mode: 0o600 })
  expect(Buffer.from(readPrivateFile(path)).toString()).toBe('one')
})

test('a write that fails leaves the old content and no draft', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'file')
  await replacePrivateFile(join(path, 'inner'), 'a folder stands in the way')
  await expect(replacePrivateFile(path, 'two')).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['file'])
})

test('a file that must be new never replaces one', async () => {
  const folder = await freshFolder()
  const path = join(folder, 'file')
  await createPrivateFile(path, 'one')
  await expect(createPrivateFile(path, 'two')).rejects.toMatchObject({ code: 'state_exists' })
  expect(await readFile(path, 'utf8')).toBe('one')
  expect(await readdir(folder)).toEqual(['file'])
})

test.each([0o640, 0o604, 0o644, 0o660])('a file of mode %o is not read', async (mode) => {
  const path = join(await freshFolder(), 'file')
  await createPrivateFile(path, 'one')
  await chmod(path, mode)
  expect(() => readPrivateFile(path)).toThrow(expect.objectContaining({ code: 'file_not_private' }))
})

test('a file that is gone is state_missing', async () => {
  const path = join(await freshFolder(), 'file')
  await createPrivateFile(path, 'one')
  await rename(path, `${path}.old`)
  expect(() => readPrivateFile(path)).toThrow(expect.objectContaining({ code: 'state_missing' }))
})

test('what the file system does not let be used is file_unusable, with its path', async () => {
  const unusable = { code: 'file_unusable', message: expect.stringContaining('/dev/null/x') as string }
  await expect(createPrivateFile('/dev/null/x/file', 'one')).rejects.toMatchObject(unusable)
  await expect(replacePrivateFile('/dev/null/x/file', 'one')).rejects.toMatchObject(unusable)
  expect(() => readPrivateFile('/dev/null/x/file')).toThrow(expect.objectContaining(unusable))
})
