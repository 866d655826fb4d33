import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AgentError } from './agent-error.js'

/**
 * Puts a file in place whole: whoever reads it, even after a crash or a power cut, finds the old content or the
 * new one. Only its owner may read it.
 * @throws AgentError `file_unusable`
 */
export const replacePrivateFile = (path: string, content: string | Uint8Array): Promise<void> =>
  place(path, content, rename)

/**
 * The same for a file that must not be there yet.
 * @throws AgentError `state_exists`, `file_unusable`
 */
export const createPrivateFile = (path: string, content: string | Uint8Array): Promise<void> =>
  // link, unlike rename, never takes the place of a file.
  place(path, content, link)

const place = async (
  path: string,
  content: string | Uint8Array,
  put: (from: string, to: string) => Promise<void>,
): Promise<void> => {
  const folder = dirname(path)
  await orUnusable(folder, mkdir(folder, { recursive: true, mode: 0o700 }))
  const draft = `${path}.${randomUUID()}`
  try {
    await orUnusable(path, writeDurably(draft, content))
    await orUnusable(path, put(draft, path))
    await syncFolder(folder)
  } finally {
    await rm(draft, { force: true })
  }
}

const writeDurably = async (path: string, content: string | Uint8Array): Promise<void> => {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The new name is durable only once its folder is. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Reads a file that nobody but its owner may read.
 * @throws AgentError `state_missing`, `file_not_private`, `file_unusable`
 */
export const readPrivateFile = async (path: string): Promise<Uint8Array> => {
  try {
    const { mode } = await stat(path)
    if ((mode & 0o077) !== 0)
      throw new AgentError('file_not_private', `${path} is open to others; chmod 600 it`)
    return await readFile(path)
  } catch (error) {
    throw isCode(error, 'ENOENT')
      ? new AgentError('state_missing', `there is no ${path}`)
      : unusable(path, error)
  }
}

/** Whether an error is a file system's, of this code. */
export const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/**
 * Says which file it is that the file system did not let be used.
 * @throws AgentError `state_exists`, `file_unusable`
 */
export const orUnusable = async <T>(path: string, use: Promise<T>): Promise<T> => {
  try {
    return await use
  } catch (error) {
    throw unusable(path, error)
  }
}

const unusable = (path: string, error: unknown): unknown => {
  if (!(error instanceof Error && 'syscall' in error && 'code' in error)) return error
  if (error.code === 'EEXIST') return new AgentError('state_exists', `${path} exists already`)
  return new AgentError('file_unusable', `${path} can't be used: ${String(error.code)}`)
}
