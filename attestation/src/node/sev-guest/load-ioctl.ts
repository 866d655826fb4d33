import { getSystemErrorName } from 'node:util'
import { AttestationError } from '../../errors.js'

/** ioctl(2), and the addresses that its arguments hold. */
export type Ioctl = {
  /** Calls it in a thread of its own: the driver may take a minute. The name of the error, or null. */
  readonly call: (fd: number, command: number, argument: Uint8Array) => Promise<string | null>
  /** Where bytes stand in memory. */
  readonly addressOf: (bytes: Uint8Array) => bigint
}

const load = async (): Promise<typeof import('koffi')> => {
  try {
    return await import('koffi')
  } catch {
    throw new AttestationError(
      'collector_failed',
      'koffi, which calls ioctl(2), is not installed for this system',
    )
  }
}

/**
 * Loads the foreign function.
 * @throws AttestationError collector_failed where there is no library for this system
 */
export const loadIoctl = async (): Promise<Ioctl> => {
  const koffi = await load()
  // ioctl(2) takes any argument, and is declared here with the one that these requests have.
  const ioctl = koffi.load(null).func('int ioctl(int fd, unsigned long request, void *argument)')
  return {
    addressOf: (bytes) => koffi.address(bytes),
    call: (fd, command, argument) =>
      new Promise((resolve, reject) => {
        ioctl.async(fd, command, argument, (error: Error | null, result: number) => {
          // The number of the error is that of this call only as long as this function runs.
          if (error !== null) reject(error)
          else resolve(result === -1 ? getSystemErrorName(-koffi.errno()) : null)
        })
      }),
  }
}
