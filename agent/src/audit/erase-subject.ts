import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type AuditRecord, isErased } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import { type Clock, nowSeconds } from '../clock.js'
import type { Identity } from '../identity.js'
import { orUnusable } from '../private-file.js'
import { homeLog } from './home-log.js'
import { OwnLog } from './own-log.js'
import { subjectFiles } from './subject-files.js'
import { SubjectSalts } from './subject-salts.js'

/** What an erasure did. */
export type Erasure = {
  /** SKIPPED: nothing was held of the subject. */
  readonly outcome: 'APPLIED' | 'SKIPPED'
  /** Entries of the log. */
  readonly records: number
  /** Grants and sessions. */
  readonly files: number
  /** Sessions that are still open, and stay. */
  readonly open: number
}

/** Where a home keeps the salts of subjects. */
export const saltsPath = (home: string): string => join(home, 'subject-salts.json')

/**
 * Erases what a home holds of a subject: grants that it gave or got, sessions that are over, its entries in the home's
 * log, and the salts by which they were its. The log says first that it happens; its chain and its proofs stay valid. What a
 * crash leaves, the next erasure finds.
 * @param subject not the home's own identifier, which cannot be erased
 * @throws AgentError `argument_invalid`, `state_locked` while a receiver runs, and as the files are read
 */
export const eraseSubject = async (
  { home, identity, clock }: { readonly home: string; readonly identity: Identity; readonly clock: Clock },
  subject: string,
): Promise<Erasure> => {
  if (subject === '' || subject.length > 256)
    throw new AgentError('argument_invalid', 'a subject has 1 to 256 characters')
  if (subject === identity.did)
    throw new AgentError('argument_invalid', 'this home is that subject: delete the home')
  const salts = new SubjectSalts(saltsPath(home))
  return OwnLog.use(homeLog(home, identity, 'own'), clock, async (log) => {
    const { erasable, open } = await subjectFiles(home, subject, nowSeconds(clock))
    const pseudonyms = salts.pseudonymsUnder(subject)
    const isMeant = (record: AuditRecord): boolean => isAbout(pseudonyms, record)
    const records = log.read().filter(isMeant).length
    const [files, rest] = [erasable.length, { open: open.length }]
    if (files === 0 && pseudonyms.size === 0) return { outcome: 'SKIPPED', records, files, ...rest }
    const fields = { subject: await salts.pseudonymOf(subject), records, files }
    await log.append({ event: 'erasure.applied', fields })
    for (const path of erasable) await orUnusable(path, rm(path, { force: true }))
    if (records > 0) await log.erase(isMeant)
    await salts.forget(subject)
    return { outcome: 'APPLIED', records, files, ...rest }
  })
}

// What was erased before stays recorded: without it the gaps would have no explanation.
const isAbout = (pseudonyms: ReadonlySet<string>, record: AuditRecord): boolean =>
  !isErased(record) &&
  record.entry.event !== 'erasure.applied' &&
  'subject' in record.entry.fields &&
  pseudonyms.has(record.entry.fields.subject)
