import { randomUUID } from 'node:crypto'
import { link, lstat, open, rm } from 'node:fs/promises'
import { AgentError } from '../agent-error.js'
import { isCode, orUnusable } from '../private-file.js'

/**
 * Writes a file that the user named and that must not be there yet, whole or not at all. That it can be written shows
 * before its content is made: a session whose invitation is lost is of no use.
 * @param make gives the content
 * @throws AgentError `state_exists`, `file_unusable`
 */
export const writeNewFile = async (path: string, make: () => Promise<string>): Promise<void> => {
  await requireAbsent(path)
  const draft = `${path}.${randomUUID()}`
  const file = await orUnusable(path, open(draft, 'wx'))
  try {
    const content = await make()
    await orUnusable(path, file.writeFile(content))
    // link, unlike rename, never takes the place of a file.
    await orUnusable(path, link(draft, path))
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}

const requireAbsent = async (path: string): Promise<void> => {
  const found = await orUnusable(path, lstat(path).catch(absent))
  if (found !== null) throw new AgentError('state_exists', `${path} exists already`)
}

const absent = (error: unknown): null => {
  if (isCode(error, 'ENOENT')) return null
  throw error
}
