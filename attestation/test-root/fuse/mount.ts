import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import koffi from 'koffi'
import { parseRequest } from './protocol.js'
import { Session, type Tree } from './session.js'

const libc = koffi.load(null)
const mount2 = libc.func(
  'int mount(const char *source, const char *target, const char *type, unsigned long flags, const char *data)',
)
const umount2 = libc.func('int umount2(const char *target, int flags)')

const MNT_FORCE = 1
const MNT_DETACH = 2
const BUFFER_BYTES = 1 << 17

/** A mounted tree. */
export type Mounted = { readonly path: string; readonly unmount: () => Promise<void> }

// Reads in a thread of its own: in the common pool it would queue behind those that wait for its answers.
const READER = `
  const { readSync } = require('node:fs')
  const { parentPort, workerData } = require('node:worker_threads')
  const buffer = Buffer.alloc(workerData.size)
  try {
    for (;;) parentPort.postMessage(buffer.subarray(0, readSync(workerData.device, buffer)))
  } catch (error) {
    if (error.code !== 'ENODEV') throw error
  }
`

const reply = async (device: number, session: Session, bytes: Uint8Array): Promise<void> => {
  const answer = await session.answer(parseRequest(Buffer.from(bytes)))
  if (answer === null) return
  try {
    writeSync(device, answer)
  } catch (error) {
    // Whoever asked has gone away.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Serves until the file system is unmounted and the kernel says so. */
const serve = async (device: number, session: Session): Promise<void> => {
  const reader = new Worker(READER, { eval: true, workerData: { device, size: BUFFER_BYTES } })
  reader.on('message', (bytes: Uint8Array) => void reply(device, session, bytes))
  await once(reader, 'exit')
}

/**
 * Mounts a tree by FUSE, spoken on /dev/fuse in this process: whoever uses it from here has to do so asynchronously.
 * Needs root.
 */
export const mountTree = (tree: Tree): Mounted => {
  const path = mkdtempSync(join(tmpdir(), 'parley-fuse-'))
  const device = openSync('/dev/fuse', constants.O_RDWR)
  const data = `fd=${device},rootmode=40755,user_id=0,group_id=0`
  if (mount2('parley', path, 'fuse', 0, data) !== 0) {
    throw new Error(
      `mount(2) failed with ${koffi.errno()}: this needs root, and CAP_SYS_ADMIN in a container`,
    )
  }
  const session = new Session(tree)
  const served = serve(device, session)
  return {
    path,
    unmount: async () => {
      umount2(path, MNT_FORCE | MNT_DETACH)
      await served
      closeSync(device)
      rmdirSync(path)
      if (session.fault !== null) throw session.fault
    },
  }
}
