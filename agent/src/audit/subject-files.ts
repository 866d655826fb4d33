import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isOfSubject, verifyGrant } from '@parley/guardian'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import { isCode } from '../private-file.js'
import { json, readState } from '../read-state.js'
import { SessionFile } from '../session-file.js'

const RECORD = /^[0-9a-f]{64}\.json$/
const grantFile = v.strictObject({ version: v.literal('parley-grant-v1'), grant: json })

/** The files of a home that are about a subject. */
export type SubjectFiles = {
  readonly erasable: readonly string[]
  /** Sessions that are not over: without its file one could not be ended, nor its charge be checked. */
  readonly open: readonly string[]
}

/**
 * Finds grants that a subject gave or got, and sessions in which it has a seat.
 * @param now Unix seconds
 * @throws AgentError `state_malformed`, `file_not_private`, `file_unusable`
 */
export const subjectFiles = async (home: string, subject: string, now: number): Promise<SubjectFiles> => {
  const grants = filesIn(join(home, 'grants')).filter((path) => isGrantOf(path, subject))
  const sessions = await Promise.all(
    filesIn(join(home, 'sessions')).map(async (path) => ({
      path,
      record: (await SessionFile.open(path)).record,
    })),
  )
  const own = sessions.filter(({ record }) =>
    record.seats.some((did) => did !== null && isOfSubject(subject, did)),
  )
  const isOver = (expires: number | undefined): boolean => expires !== undefined && expires < now
  return {
    erasable: [
      ...grants,
      ...own.filter(({ record }) => isOver(record.offer?.expires_at)).map(({ path }) => path),
    ],
    open: own.filter(({ record }) => !isOver(record.offer?.expires_at)).map(({ path }) => path),
  }
}

const isGrantOf = (path: string, subject: string): boolean => {
  const { iss, sub } = readState(path, grantFile, ({ grant }) => verifyGrant(grant))
  return isOfSubject(subject, iss) || isOfSubject(subject, sub)
}

const filesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
      .filter((name) => RECORD.test(name))
      .map((name) => join(folder, name))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw new AgentError('file_unusable', `${folder} can't be read`)
  }
}
