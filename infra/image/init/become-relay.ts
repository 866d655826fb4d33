import { chownSync, existsSync } from 'node:fs'
import { BootError } from './boot-error.js'
import { capset, prctl } from './libc.js'

const SET_KEEPCAPS = 8
const CAPBSET_DROP = 24
const SET_NO_NEW_PRIVS = 38
const CAP_AMBIENT = 47
const AMBIENT_RAISE = 2
const CAPABILITY_VERSION_3 = 0x20080522
const LAST_CAPABILITY = 40

/**
 * The one capability that the relay keeps: what it makes in configfs-tsm belongs to root whoever makes it, so a report
 * can be asked for by nobody else. The image is read-only by then, so it opens no file of the image for writing.
 */
const DAC_OVERRIDE = 1

/** The user that the relay runs as. */
export const RELAY_USER = 65_532

/** Gives the relay's user what is its own. */
export function handOver(paths: readonly string[]): void {
  for (const path of paths) if (existsSync(path)) chownSync(path, RELAY_USER, RELAY_USER)
}

/** Ends the rights of the first process, and becomes the relay: from here on no program is the first one but it. */
export function becomeRelay(program: string, args: readonly string[]): never {
  for (let capability = 0; capability <= LAST_CAPABILITY; capability++)
    if (capability !== DAC_OVERRIDE) prctl(CAPBSET_DROP, capability, 0, 0, 0)
  prctl(SET_KEEPCAPS, 1, 0, 0, 0)
  changeUser()
  keepOneCapability()
  prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
  // The Node that the repository is developed on does not know it yet; that of the image does.
  const execve: unknown = Reflect.get(process, 'execve')
  if (typeof execve === 'function')
    Reflect.apply(execve, process, [program, [program, ...args], { PATH: '/usr/bin', HOME: '/' }])
  throw new BootError('privileges_failed', 'the relay did not take the place of the first program')
}

function changeUser(): void {
  process.setgroups?.([])
  process.setgid?.(RELAY_USER)
  process.setuid?.(RELAY_USER)
  if (process.getuid?.() !== RELAY_USER) throw new BootError('privileges_failed', 'the user did not change')
}

function keepOneCapability(): void {
  const header = Buffer.alloc(8)
  header.writeUInt32LE(CAPABILITY_VERSION_3)
  // Effective, permitted, inheritable; then the same for the upper 32.
  const sets = Buffer.alloc(24)
  for (const at of [0, 4, 8]) sets.writeUInt32LE(1 << DAC_OVERRIDE, at)
  capset(header, sets)
  prctl(CAP_AMBIENT, AMBIENT_RAISE, DAC_OVERRIDE, 0, 0)
}
