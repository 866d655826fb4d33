import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openCheckpoint, type AuditEvent } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { homeLog, type HomeLog } from '../../src/audit/home-log.js'
import type { LogName } from '../../src/audit/log-names.js'
import { checkpointPath } from '../../src/audit/own-checkpoint.js'
import { OwnLog } from '../../src/audit/own-log.js'
import { readLogFile } from '../../src/audit/read-log.js'
import { createIdentity } from '../../src/index.js'
import { freshFolder, testClock } from '../double/stage.js'

const identity = await createIdentity(join(await freshFolder(), 'identity.json'))
const fresh = async (name: LogName = 'own'): Promise<HomeLog> => homeLog(await freshFolder(), identity, name)
const event = (digit: string): AuditEvent => ({
  event: 'consent.used',
  fields: { subject: digit.repeat(64), purpose_id: 'billing', origin_id: 'bob' },
})
const append = (log: HomeLog, ...digits: readonly string[]): Promise<unknown> =>
  OwnLog.use(log, testClock(), (open) => Promise.all(digits.map((digit) => open.append(event(digit)))))
const sizeOf = async (log: HomeLog): Promise<number> =>
  openCheckpoint(await readFile(checkpointPath(log), 'utf8'), {
    origin: log.origin,
    publicKey: log.key.publicKey,
  }).size

test.each([
  ['own', 3],
  ['received', 1],
  ['sent', 1],
] as const)(
  'entries of %s are numbered and chained over two openings, with %i salts',
  async (name, salts) => {
    const log = await fresh(name)
    await append(log, 'a', 'b')
    await append(log, 'c')
    const { records, fault } = readLogFile(log.path)
    expect(fault).toBeNull()
    expect(records).toMatchObject([0, 1, 2].map((seq) => ({ entry: { seq } })))
    expect(new Set(records.map((record) => ('salt' in record ? record.salt : null))).size).toBe(salts)
  },
)

test('an event outside the allow-list is refused as object_malformed, and what waited with it is written', async () => {
  const log = await fresh()
  const invented = { event: 'consent.used', fields: { subject: 'alice' } } as unknown as AuditEvent
  await OwnLog.use(log, testClock(), async (open) => {
    const asked = [open.append(event('a')), open.append(invented), open.append(event('b'))]
    expect(await Promise.allSettled(asked)).toMatchObject([
      { status: 'fulfilled' },
      { reason: { code: 'object_malformed' } },
      { status: 'fulfilled' },
    ])
  })
  expect(readLogFile(log.path)).toMatchObject({ fault: null, records: [{ salt: {} }, { salt: {} }] })
})

test('what is erased is gone from the file, and its chain and its root are as before', async () => {
  const log = await fresh()
  await append(log, 'a', 'b', 'c')
  const { tree } = readLogFile(log.path)
  await OwnLog.use(log, testClock(), async (open) => {
    await open.append({
      event: 'erasure.applied',
      fields: { subject: 'b'.repeat(64), records: 1, files: 0 },
    })
    await open.erase((record) => 'entry' in record && record.entry.seq === 1)
    await open.append(event('d'))
  })
  const after = readLogFile(log.path)
  expect(after.fault).toBeNull()
  expect(after.tree.root(3)).toEqual(tree.root())
  expect(after.tree.size).toBe(5)
  expect((await readFile(log.path, 'utf8')).split('\n')[1]).not.toContain('b'.repeat(64))
  await append(log, 'e')
})

const changes: readonly (readonly [string, (lines: readonly string[]) => readonly (string | undefined)[]])[] =
  [
    ['changed', (lines) => [lines[0]?.replace('aaa', 'aba'), lines[1], lines[2]]],
    ['removed', (lines) => [lines[0], lines[2]]],
    ['removed at the start', (lines) => [lines[1], lines[2]]],
    ['removed at the end', (lines) => [lines[0], lines[1]]],
    ['inserted', (lines) => [lines[0], lines[0], lines[1], lines[2]]],
    ['moved', (lines) => [lines[1], lines[0], lines[2]]],
    ['that is no JSON', (lines) => [lines[0], 'x', lines[2]]],
  ]

describe('A2A-46: a log is not opened', () => {
  test.each(changes)('with an entry %s', async (_, change) => {
    const log = await fresh()
    await append(log, 'a', 'b', 'c')
    const lines = change((await readFile(log.path, 'utf8')).split('\n').slice(0, -1))
    await writeFile(log.path, lines.map((line) => `${line ?? ''}\n`).join(''))
    await expect(append(log, 'd')).rejects.toMatchObject({ code: 'state_malformed' })
  })

  test('without its checkpoint, or with another log’s', async () => {
    const [log, other] = [await fresh(), await fresh()]
    await append(log, 'a')
    await append(other, 'a')
    await copyFile(checkpointPath(other), checkpointPath(log))
    await expect(append(log, 'b')).rejects.toMatchObject({ code: 'state_malformed' })
    await rm(checkpointPath(log))
    await expect(append(log, 'b')).rejects.toMatchObject({ code: 'state_malformed' })
  })

  test('with a checkpoint that others may read', async () => {
    const log = await fresh()
    await append(log, 'a')
    await chmod(checkpointPath(log), 0o644)
    await expect(append(log, 'b')).rejects.toMatchObject({ code: 'file_not_private' })
  })
})

describe('a checkpoint is signed', () => {
  test('before the first entry, after each 64, and at the end', async () => {
    const log = await fresh()
    await OwnLog.use(log, testClock(), async (open) => {
      expect(await sizeOf(log)).toBe(0)
      for (let nth = 0; nth < 65; nth++) await open.append(event('a'))
      expect(await sizeOf(log)).toBe(64)
    })
    expect(await sizeOf(log)).toBe(65)
  })

  test('or the one before stays, and what is on the disk is in the log', async () => {
    const log = await fresh()
    await OwnLog.use(log, testClock(), async (open) => {
      await open.append(event('a'))
      // A folder can't be replaced by a file.
      await rm(checkpointPath(log))
      await mkdir(join(checkpointPath(log), 'in-the-way'), { recursive: true })
    })
    expect(readLogFile(log.path)).toMatchObject({ fault: null, records: [{}] })
  })
})

test('an entry that can’t be written fails', async () => {
  const log = await fresh()
  let closed: OwnLog | undefined
  await OwnLog.use(log, testClock(), (open) => {
    closed = open
    return Promise.resolve()
  })
  await expect(closed?.append(event('a'))).rejects.toMatchObject({ code: 'file_unusable' })
})
