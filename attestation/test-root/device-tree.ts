import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { failure } from '../test/node/configfs-tsm/kernel-double.js'
import type { DriverDouble } from '../test/node/sev-guest/driver-double.js'
import type { OpenFile, Tree } from './fuse/session.js'

/** The name of the device in its tree. */
export const DEVICE_NAME = 'sev-guest'

const REQUEST_BYTES: Readonly<Record<number, number>> = { 0xc0205300: 96, 0xc0205301: 40, 0xc0205302: 112 }
const RESPONSE_BYTES: Readonly<Record<number, number>> = {
  0xc0205300: 4000,
  0xc0205301: 64,
  0xc0205302: 4000,
}
const EXTENDED = 0xc0205302

/** The memory of a process, as the kernel's copy_from_user and copy_to_user see it. */
const openMemory = (pid: number) => {
  const file = openSync(`/proc/${pid}/mem`, 'r+')
  return {
    read: (address: bigint, size: number): Uint8Array => {
      const bytes = new Uint8Array(size)
      if (readSync(file, bytes, 0, size, address) !== size) throw failure('EFAULT')
      return bytes
    },
    write: (address: bigint, bytes: Uint8Array): void => {
      if (bytes.length > 0) writeSync(file, bytes, 0, bytes.length, Number(address))
    },
    close: () => {
      closeSync(file)
    },
  }
}

// What the driver does with its arguments: it follows the addresses into the memory of whoever called.
const ioctlOf =
  (driver: DriverDouble): NonNullable<OpenFile['ioctl']> =>
  async (command, given, pid) => {
    const argument = new Uint8Array(given)
    const view = new DataView(argument.buffer)
    if (view.getUint8(0) === 0) return { error: 'EINVAL', argument }
    const memory = openMemory(pid)
    try {
      const requestAt = view.getBigUint64(8, true)
      const request = memory.read(requestAt, REQUEST_BYTES[command] ?? 0)
      const fields = new DataView(request.buffer)
      const certificatesAt = command === EXTENDED ? fields.getBigUint64(96, true) : 0n
      const certificateBytes = command === EXTENDED ? fields.getUint32(104, true) : 0
      const responseBytes = RESPONSE_BYTES[command] ?? 0
      const answer = await driver.exchange({ command, request, responseBytes, certificateBytes })
      memory.write(requestAt, answer.request)
      if (answer.errno === null) {
        memory.write(view.getBigUint64(16, true), answer.response)
        memory.write(certificatesAt, answer.certificates)
      }
      if (answer.exitInfo2 !== 0n) view.setBigUint64(24, answer.exitInfo2, true)
      return { error: answer.errno, argument }
    } finally {
      memory.close()
    }
  }

/** A directory with the device in it, in front of the double of the driver. */
export const deviceTree = (driver: DriverDouble): Tree => {
  const nothing = (): never => {
    throw failure('EINVAL')
  }
  const forbidden = (): never => {
    throw failure('EPERM')
  }
  return {
    find: (path) => (path === `/${DEVICE_NAME}` ? { directory: false, mode: 0o600 } : null),
    list: () => [DEVICE_NAME],
    open: () => ({ read: nothing, write: nothing, close: () => undefined, ioctl: ioctlOf(driver) }),
    makeDirectory: forbidden,
    removeDirectory: forbidden,
  }
}
