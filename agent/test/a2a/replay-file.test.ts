import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { ReplayFile } from '../../src/a2a/replay-file.js'
import { AgentError } from '../../src/index.js'
import { freshFolder } from '../double/stage.js'

const NOW = 1_000_000
const opened: ReplayFile[] = []
const open = async (...asked: Parameters<typeof ReplayFile.open>): Promise<ReplayFile> => {
  const file = await ReplayFile.open(...asked)
  opened.push(file)
  return file
}

afterEach(async () => {
  await Promise.allSettled(opened.splice(0).map((file) => file.close()))
})

const fresh = async (): Promise<string> => join(await freshFolder(), 'nonces.log')
const nonce = (name: string, issued_at = NOW) => ({ origin_id: 'peer-a', nonce: name, issued_at })

test('A2A-17: a nonce is taken once, also by whoever opens the file next', async () => {
  const path = await fresh()
  const first = await open(path)
  expect(await first.take(nonce('a'), NOW)).toBe('taken')
  expect(await first.take(nonce('a'), NOW)).toBe('replay')
  await first.close()
  const second = await open(path)
  expect(await second.take(nonce('a'), NOW)).toBe('replay')
  expect(await second.take({ ...nonce('a'), origin_id: 'peer-b' }, NOW)).toBe('taken')
})

test('A2A-17: of two who bring one nonce at once, one gets it', async () => {
  const file = await open(await fresh())
  const both = await Promise.all([file.take(nonce('a'), NOW), file.take(nonce('a'), NOW)])
  expect(both.sort()).toEqual(['replay', 'taken'])
})

test('A2A-17: a nonce that was given back may be taken, also after the file was opened again', async () => {
  const path = await fresh()
  const first = await open(path)
  await first.take(nonce('a'), NOW)
  await first.release(nonce('a'))
  await first.close()
  expect(await (await open(path)).take(nonce('a'), NOW)).toBe('taken')
})

test('A2A-18: a full file refuses, and forgets nothing that lives', async () => {
  const path = await fresh()
  const limits = { capacity: 3, perOrigin: 2 }
  const first = await open(path, limits)
  await first.take(nonce('a'), NOW)
  await first.take(nonce('b'), NOW)
  expect(await first.take(nonce('c'), NOW)).toBe('nonce_quota')
  await first.take({ ...nonce('c'), origin_id: 'peer-b' }, NOW)
  expect(await first.take({ ...nonce('d'), origin_id: 'peer-c' }, NOW)).toBe('nonce_store_full')
  await first.close()
  const second = await open(path, limits)
  for (const name of ['a', 'b']) expect(await second.take(nonce(name), NOW)).toBe('replay')
})

test('A2A-18: a file that grew long is written anew with all that lives, and remembers how far it forgot', async () => {
  const path = await fresh()
  const first = await open(path, undefined, 4)
  for (const name of ['a', 'b', 'c']) await first.take(nonce(name), NOW)
  for (const name of ['d', 'e', 'f']) await first.take(nonce(name, NOW + 701), NOW + 701)
  await first.close()
  expect((await readFile(path, 'utf8')).split('\n').length).toBeLessThan(7)
  const second = await open(path)
  for (const name of ['d', 'e', 'f'])
    expect(await second.take(nonce(name, NOW + 701), NOW + 701)).toBe('replay')
  expect(await second.take(nonce('a'), NOW)).toBe('replay')
})

test('a nonce that can’t be written is not taken', async () => {
  const file = await open(await fresh())
  await file.close()
  await expect(file.take(nonce('a'), NOW)).rejects.toMatchObject({ code: 'file_unusable' })
  await expect(file.take(nonce('a'), NOW)).rejects.toMatchObject({ code: 'file_unusable' })
})

test.each(['{}', '[]', 'x', '{"taken":{"origin_id":"a","nonce":"b"}}', '{"forgotten_up_to":1.5}'])(
  'a file with the line %s is refused',
  async (line) => {
    const path = await fresh()
    await writeFile(path, `${line}\n`, { mode: 0o600 })
    await expect(open(path)).rejects.toMatchObject({ code: 'state_malformed' })
  },
)

test('a file that others may read is refused', async () => {
  const path = await fresh()
  await (await open(path)).close()
  await chmod(path, 0o604)
  await expect(open(path)).rejects.toMatchObject({ code: 'file_not_private' })
})

test('whatever a file holds, opening it fails with an error of ours or not at all', async () => {
  const path = await fresh()
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(fc.string(), fc.json())), async (lines) => {
      await writeFile(path, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 })
      await open(path).then(
        (file) => file.close(),
        (error: unknown) => {
          expect(error).toBeInstanceOf(AgentError)
        },
      )
    }),
    { numRuns: 50 },
  )
})
