import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { A2aEvent } from '@parley/guardian'
import { expect, test } from 'vitest'
import { AuditFile } from '../../src/a2a/audit-file.js'
import { freshFolder, testClock } from '../double/stage.js'
import { eventsOf } from './double/peers.js'

const fresh = async (): Promise<string> => join(await freshFolder(), 'audit.log')
const event = (task_id: string): A2aEvent => ({
  event: 'A2A.envelope_sent',
  fields: { task_id, endpoint_id: 'bob', ttl_s: 60 },
})

const written = async (path: string): Promise<readonly string[]> => {
  const log = await AuditFile.open(path, 'software', testClock())
  await Promise.all(['one', 'two', 'three'].map((id) => log.append(event(id))))
  await log.close()
  return (await readFile(path, 'utf8')).split('\n').slice(0, -1)
}

test('entries are numbered and chained, also over two openings', async () => {
  const path = await fresh()
  await written(path)
  const log = await AuditFile.open(path, 'software', testClock())
  await log.append(event('four'))
  await log.close()
  AuditFile.check(path, 'software')
  expect((await eventsOf(path)).map(({ fields }) => fields['task_id'])).toEqual([
    'one',
    'two',
    'three',
    'four',
  ])
})

test.each([
  ['changed', (lines: readonly string[]) => [lines[0]?.replace('one', 'eno'), lines[1], lines[2]]],
  ['removed', (lines: readonly string[]) => [lines[0], lines[2]]],
  ['removed at the start', (lines: readonly string[]) => [lines[1], lines[2]]],
  ['inserted', (lines: readonly string[]) => [lines[0], lines[0], lines[1], lines[2]]],
  ['moved', (lines: readonly string[]) => [lines[1], lines[0], lines[2]]],
  ['that is no JSON', (lines: readonly string[]) => [lines[0], 'x', lines[2]]],
])('A2A-46: a log with an entry %s is refused', async (_, change) => {
  const path = await fresh()
  const lines = await written(path)
  await writeFile(
    path,
    change(lines)
      .map((line) => `${line ?? ''}\n`)
      .join(''),
  )
  await expect(AuditFile.open(path, 'software', testClock())).rejects.toMatchObject({
    code: 'state_malformed',
  })
  expect(() => {
    AuditFile.check(path, 'software')
  }).toThrow(expect.objectContaining({ code: 'state_malformed' }))
})

test('a log of another lane is refused', async () => {
  const path = await fresh()
  await written(path)
  await expect(AuditFile.open(path, 'confidential', testClock())).rejects.toMatchObject({
    code: 'state_malformed',
  })
})

test('an entry that can’t be written fails', async () => {
  const log = await AuditFile.open(await fresh(), 'software', testClock())
  await log.close()
  await expect(log.append(event('one'))).rejects.toMatchObject({ code: 'file_unusable' })
})
