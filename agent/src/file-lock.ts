import { randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AgentError } from './agent-error.js'
import { isCode, orUnusable } from './private-file.js'

const PAUSE_MS = 20
/** Ten seconds: a change of a file takes milliseconds. */
const ATTEMPTS = 500

// The locks of this process: in a container the next process may well have the same id as the one that died.
const own = new Set<string>()

/**
 * Lets one process, and one task of it, change a file at a time: reading, deciding and replacing are three steps, and
 * another's may come between them.
 * @param attempts how often it is tried, 20 ms apart
 * @throws AgentError `state_locked` where somebody else holds the file all that time
 */
export const withFileLock = async <T>(
  path: string,
  change: () => Promise<T>,
  attempts = ATTEMPTS,
): Promise<T> => {
  const lock = `${path}.lock`
  const holder = `${process.pid} ${hostname()} ${randomUUID()}`
  const folder = dirname(path)
  await orUnusable(folder, mkdir(folder, { recursive: true, mode: 0o700 }))
  own.add(holder)
  try {
    await take(lock, holder, attempts)
    return await change().finally(() => rm(lock, { force: true }))
  } finally {
    own.delete(holder)
  }
}

const take = async (lock: string, holder: string, attempts: number): Promise<void> => {
  for (let left = attempts; left > 0; left--) {
    if (await placed(lock, holder)) return
    await breakStale(lock)
    await setTimeout(PAUSE_MS)
  }
  throw new AgentError('state_locked', `another process holds ${lock}; delete it if there is none`)
}

/** Puts a file in place with its content, unless there is one. */
const placed = async (path: string, content: string): Promise<boolean> => {
  const draft = `${path}.${randomUUID()}`
  await orUnusable(path, writeFile(draft, content, { flag: 'wx', mode: 0o600 }))
  try {
    await link(draft, path)
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

// Two who find the same stale lock must not both remove it: the slower one would remove the faster one's new lock.
const breakStale = async (lock: string): Promise<void> => {
  if (!(await isStale(lock)) || !(await placed(`${lock}.break`, ''))) return
  try {
    if (await isStale(lock)) await rm(lock, { force: true })
  } finally {
    await rm(`${lock}.break`, { force: true })
  }
}

const isStale = async (lock: string): Promise<boolean> => {
  try {
    const holder = await readFile(lock, 'utf8')
    const [pid, host] = holder.split(' ')
    // Of a process on another machine or in another container nothing is known here.
    if (host !== hostname()) return false
    return Number(pid) === process.pid ? !own.has(holder) : !isAlive(Number(pid))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false
    throw error
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !isCode(error, 'ESRCH')
  }
}
