import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fsync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { AgentError } from './agent-error.js'

// What touches only the directory takes microseconds, a tenth of what handing it to a thread takes, and is done at once.
// Only the disk is waited for.
const flushed = promisify(fsync)

/**
 * Puts a file in place whole: whoever reads it, even after a crash or a power cut, finds the old content or the
 * new one. Only its owner may read it.
 * @throws AgentError `file_unusable`
 */
export const replacePrivateFile = (path: string, content: string | Uint8Array): Promise<void> =>
  place(path, content, renameSync)

/**
 * The same for a file that must not be there yet.
 * @throws AgentError `state_exists`, `file_unusable`
 */
export const createPrivateFile = (path: string, content: string | Uint8Array): Promise<void> =>
  place(path, content, (from, to) => {
    // link, unlike rename, never takes the place of a file.
    linkSync(from, to)
    unlinkSync(from)
  })

const place = async (
  path: string,
  content: string | Uint8Array,
  put: (from: string, to: string) => void,
): Promise<void> => {
  const folder = dirname(path)
  const draft = `${path}.${randomUUID()}`
  try {
    await orUnusable(path, writeDurably(draft, content))
    await orUnusable(
      path,
      putDurably(folder, () => {
        put(draft, path)
      }),
    )
  } catch (error) {
    discard(draft)
    throw error
  }
}

const discard = (draft: string): void => {
  try {
    rmSync(draft, { force: true })
  } catch {
    // Where there can be no draft, what failed before says why.
  }
}

const writeDurably = async (path: string, content: string | Uint8Array): Promise<void> => {
  const file = inFolder(dirname(path), () => openSync(path, 'wx', 0o600))
  try {
    writeFileSync(file, content)
    await flushed(file)
  } finally {
    closeSync(file)
  }
}

/** The new name is durable only once its folder is. */
const putDurably = async (path: string, put: () => void): Promise<void> => {
  put()
  const folder = openSync(path, 'r')
  try {
    await flushed(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * Does something in a folder, which is made if it is not there.
 * @throws AgentError `file_unusable`
 */
export const inFolder = <T>(folder: string, use: () => T): T => {
  try {
    return use()
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error
    makeFolder(folder)
    return use()
  }
}

const makeFolder = (folder: string): void => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw unusable(folder, error)
  }
}

/** Which file a path names now, and since when: a file that was replaced or written to has another mark. */
export type FileMark = string

/** The mark of a file; null where there is none. */
export const markOf = (path: string): FileMark | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined
    ? null
    : [found.dev, found.ino, found.size, found.mode, found.mtimeNs, found.ctimeNs].join(' ')
}

/**
 * Reads a file that nobody but its owner may read.
 * @throws AgentError `state_missing`, `file_not_private`, `file_unusable`
 */
export const readPrivateFile = (path: string): Uint8Array => {
  try {
    const { mode } = statSync(path)
    if ((mode & 0o077) !== 0)
      throw new AgentError('file_not_private', `${path} is open to others; chmod 600 it`)
    return readFileSync(path)
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
