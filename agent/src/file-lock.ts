import { randomUUID } from 'node:crypto'
import { readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { AgentError } from './agent-error.js'
import { inFolder, isCode } from './private-file.js'

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
  own.add(holder)
  try {
    await take(lock, holder, attempts)
    return await change().finally(() => {
      rmSync(lock, { force: true })
    })
  } finally {
    own.delete(holder)
  }
}

const take = async (lock: string, holder: string, attempts: number): Promise<void> => {
  for (let left = attempts; left > 0; left--) {
    if (placed(lock, holder)) return
    breakStale(lock)
    await setTimeout(PAUSE_MS)
  }
  throw new AgentError('state_locked', `another process holds ${lock}; delete it if there is none`)
}

/** Puts a lock in place, unless there is one. A symbolic link is there with its content or not at all. */
const placed = (path: string, holder: string): boolean => {
  try {
    inFolder(dirname(path), () => {
      symlinkSync(holder, path)
    })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

// Two who find the same stale lock must not both remove it: the slower one would remove the faster one's new lock.
const breakStale = (lock: string): void => {
  if (!isStale(lock) || !placed(`${lock}.break`, lock)) return
  try {
    if (isStale(lock)) rmSync(lock, { force: true })
  } finally {
    rmSync(`${lock}.break`, { force: true })
  }
}

const isStale = (lock: string): boolean => {
  try {
    const holder = readlinkSync(lock)
    const [pid, host] = holder.split(' ')
    // Of a process on another machine or in another container nothing is known here.
    if (host !== hostname()) return false
    return Number(pid) === process.pid ? !own.has(holder) : !isAlive(Number(pid))
  } catch (error) {
    // It is gone, or it is no lock of ours.
    if (isCode(error, 'ENOENT') || isCode(error, 'EINVAL')) return false
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
