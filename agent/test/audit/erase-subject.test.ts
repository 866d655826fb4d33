import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eraseSubject, saltsPath } from '../../src/audit/erase-subject.js'
import { homeLog } from '../../src/audit/home-log.js'
import { OwnLog } from '../../src/audit/own-log.js'
import { readLogFile } from '../../src/audit/read-log.js'
import { recordedConsent } from '../../src/audit/recorded-consent.js'
import { SubjectSalts } from '../../src/audit/subject-salts.js'
import { createIdentity } from '../../src/index.js'
import { freshFolder, testClock } from '../double/stage.js'

const clock = testClock()
const identity = await createIdentity(join(await freshFolder(), 'identity.json'))

/** A home whose log says of each subject, in turn, that its consent was used. */
const stage = async (...subjects: readonly string[]) => {
  const home = await freshFolder()
  const log = homeLog(home, identity, 'own')
  const salts = new SubjectSalts(saltsPath(home))
  await OwnLog.use(log, clock, async (open) => {
    const port = recordedConsent({ consume: () => Promise.resolve(true) }, open, salts)
    for (const subject of subjects) await port.consume({ subject, purpose: 'billing', origin_id: 'bob' })
  })
  const erase = (subject: string) => eraseSubject({ home, identity, clock }, subject)
  return { home, log, path: log.path, salts, erase }
}
const eventsOf = (path: string) =>
  readLogFile(path).records.map((record) => ('entry' in record ? record.entry.event : 'erased'))

describe('an erasure', () => {
  test('A2A-49: takes the subject and what is under it, and nobody else', async () => {
    const { path, salts, erase } = await stage('user_4', 'user_42', 'user_4:chat', 'user_4')
    const kept = await salts.pseudonymOf('user_42')
    expect(await erase('user_4')).toEqual({ outcome: 'APPLIED', records: 3, files: 0, open: 0 })
    expect(eventsOf(path)).toEqual(['erased', 'consent.used', 'erased', 'erased', 'erasure.applied'])
    expect(await salts.pseudonymOf('user_42')).toBe(kept)
  })

  test('A2A-49: takes a subject whose name every object has', async () => {
    const { path, salts, erase } = await stage('constructor', '__proto__')
    const kept = await salts.pseudonymOf('__proto__')
    expect(await erase('constructor')).toMatchObject({ outcome: 'APPLIED', records: 1 })
    expect(eventsOf(path)).toEqual(['erased', 'consent.used', 'erasure.applied'])
    expect(await salts.pseudonymOf('__proto__')).toBe(kept)
  })

  test('A2A-49: leaves chain and tree as they were, and no trace of whom it was about', async () => {
    const { home, path, salts, erase } = await stage('user_4', 'user_5')
    const before = readLogFile(path)
    const pseudonym = await salts.pseudonymOf('user_4')
    await erase('user_4')
    const after = readLogFile(path)
    expect(after.fault).toBeNull()
    expect(after.tree.root(2)).toEqual(before.tree.root())
    for (const name of await readdir(home))
      expect(await readFile(join(home, name), 'utf8')).not.toContain('user_4')
    expect(await salts.pseudonymOf('user_4')).not.toBe(pseudonym)
  })

  test('A2A-49: of nobody is SKIPPED, and leaves no entry', async () => {
    const { path, erase } = await stage('user_42')
    expect(await erase('user_4')).toMatchObject({ outcome: 'SKIPPED' })
    expect(eventsOf(path)).toEqual(['consent.used'])
  })

  test('A2A-49: a second time is SKIPPED', async () => {
    const { erase } = await stage('user_4')
    await erase('user_4')
    expect(await erase('user_4')).toMatchObject({ outcome: 'SKIPPED' })
  })

  test('goes on where one was cut off after its entry was written', async () => {
    const { home, log, path, salts, erase } = await stage('user_4', 'user_4')
    await OwnLog.use(log, clock, async (open) => {
      const fields = { subject: await salts.pseudonymOf('user_4'), records: 2, files: 0 }
      await open.append({ event: 'erasure.applied', fields })
    })
    expect(await erase('user_4')).toMatchObject({ outcome: 'APPLIED', records: 2 })
    expect(readLogFile(path).fault).toBeNull()
    expect(existsSync(saltsPath(home))).toBe(true)
    expect(salts.pseudonymsUnder('user_4').size).toBe(0)
  })

  test.each([
    ['the home itself', identity.did],
    ['nobody', ''],
    ['a name that is too long', 'x'.repeat(257)],
  ])('of %s is refused as argument_invalid', async (_, subject) => {
    const { erase } = await stage('user_4')
    await expect(erase(subject)).rejects.toMatchObject({ code: 'argument_invalid' })
  })
})

test('a consent that could not be recorded does not count', async () => {
  const home = await freshFolder()
  const salts = new SubjectSalts(saltsPath(home))
  const log = { append: () => Promise.reject(new Error('the disk is full')) }
  const port = recordedConsent({ consume: () => Promise.resolve(true) }, log, salts)
  await expect(port.consume({ subject: 'a', purpose: 'b', origin_id: 'c' })).rejects.toThrow()
})
