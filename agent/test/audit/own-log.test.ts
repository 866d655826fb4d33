import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { AuditEvent } from '@parley/protocol'
import { expect, test } from 'vitest'
import { OwnLog } from '../../src/audit/own-log.js'
import { readLogFile } from '../../src/audit/read-log.js'
import { freshFolder, testClock } from '../double/stage.js'

const fresh = async (): Promise<string> => join(await freshFolder(), 'own.audit.log')
const event = (digit: string): AuditEvent => ({
  event: 'consent.used',
  fields: { subject: digit.repeat(64), purpose_id: 'billing', origin_id: 'bob' },
})
const append = (path: string, ...digits: readonly string[]): Promise<unknown> =>
  OwnLog.use(path, testClock(), (log) => Promise.all(digits.map((digit) => log.append(event(digit)))))

test('entries are numbered, salted and chained, also over two openings', async () => {
  const path = await fresh()
  await append(path, 'a', 'b')
  await append(path, 'c')
  const { records, fault } = readLogFile(path)
  expect(fault).toBeNull()
  expect(records).toMatchObject([0, 1, 2].map((seq) => ({ entry: { seq } })))
  expect(new Set(records.map((record) => ('salt' in record ? record.salt : null))).size).toBe(3)
})

test('an event outside the allow-list is refused as object_malformed, and what waited with it is not written either', async () => {
  const path = await fresh()
  const invented = { event: 'consent.used', fields: { subject: 'alice' } } as unknown as AuditEvent
  await OwnLog.use(path, testClock(), async (log) => {
    const results = await Promise.allSettled([log.append(event('a')), log.append(invented)])
    for (const result of results) expect(result).toMatchObject({ reason: { code: 'object_malformed' } })
    await log.append(event('b'))
  })
  expect(readLogFile(path).records).toMatchObject([
    { entry: { seq: 0, fields: { subject: 'b'.repeat(64) } } },
  ])
})

test('what is erased is gone from the file, and its chain and its root are as before', async () => {
  const path = await fresh()
  await append(path, 'a', 'b', 'c')
  const { tree } = readLogFile(path)
  await OwnLog.use(path, testClock(), async (log) => {
    await log.append({ event: 'erasure.applied', fields: { subject: 'b'.repeat(64), records: 1, files: 0 } })
    await log.erase((record) => 'entry' in record && record.entry.seq === 1)
    await log.append(event('d'))
  })
  const after = readLogFile(path)
  expect(after.fault).toBeNull()
  expect(after.tree.root(3)).toEqual(tree.root())
  expect(after.tree.size).toBe(5)
  expect((await readFile(path, 'utf8')).split('\n')[1]).not.toContain('b'.repeat(64))
})

test('a log that does not hold is not opened', async () => {
  const path = await fresh()
  await append(path, 'a', 'b')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.slice(text.indexOf('\n') + 1))
  await expect(append(path, 'c')).rejects.toMatchObject({ code: 'state_malformed' })
})
