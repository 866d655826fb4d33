import { open, stat } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { AttestationError } from '../../errors.js'
import { inKernel } from '../kernel-failure.js'

/** An open TPM: one command at a time. */
export type TpmDevice = {
  readonly exchange: (command: Uint8Array) => Promise<Uint8Array>
  readonly close: () => Promise<void>
}

// The largest that Linux's driver hands over (drivers/char/tpm/tpm.h, TPM_BUFSIZE).
const MAX_RESPONSE_BYTES = 4096

const openCharacterDevice = async (path: string): Promise<TpmDevice> => {
  const file = await inKernel(`opening ${path}`, () => open(path, 'r+'))
  return {
    exchange: (command) =>
      inKernel(`asking ${path}`, async () => {
        await file.write(command, 0, command.length, null)
        const { buffer, bytesRead } = await file.read(
          Buffer.alloc(MAX_RESPONSE_BYTES),
          0,
          MAX_RESPONSE_BYTES,
          null,
        )
        return Uint8Array.from(buffer.subarray(0, bytesRead))
      }),
    close: () => file.close(),
  }
}

const HEADER_BYTES = 10
const LENGTH_AT = 2

const isWhole = (received: Buffer): boolean =>
  received.length >= HEADER_BYTES && received.length >= received.readUInt32BE(LENGTH_AT)

const answer = (socket: Socket, command: Uint8Array): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    let received = Buffer.alloc(0)
    const settle = (finish: () => void): void => {
      socket.off('data', take).off('error', fail).off('close', fail)
      finish()
    }
    const fail = (): void => {
      settle(() => {
        reject(new AttestationError('collector_failed', 'the TPM hung up'))
      })
    }
    const take = (bytes: Buffer): void => {
      received = Buffer.concat([received, bytes])
      if (received.length > MAX_RESPONSE_BYTES) fail()
      else if (isWhole(received))
        settle(() => {
          resolve(Uint8Array.from(received))
        })
    }
    socket.on('data', take).on('error', fail).on('close', fail)
    socket.write(command)
  })

const openSocket = async (path: string): Promise<TpmDevice> => {
  const socket = connect(path)
  await inKernel(
    `connecting to ${path}`,
    () =>
      new Promise<void>((resolve, reject) => {
        socket.once('connect', resolve).once('error', reject)
      }),
    { ECONNREFUSED: 'provider_missing' },
  )
  // Between commands nobody listens, and an error without a listener would end the process.
  socket.on('error', () => undefined)
  return {
    exchange: (command) => answer(socket, command),
    close: () =>
      new Promise((resolve) => {
        socket.end(resolve)
      }),
  }
}

/**
 * Opens a TPM: the kernel's device (`/dev/tpmrm0`), or the socket of a software TPM.
 * @throws AttestationError provider_missing, collector_forbidden, collector_busy, collector_failed
 */
export const openTpmDevice = async (path: string): Promise<TpmDevice> => {
  const there = await inKernel(`looking for ${path}`, () => stat(path))
  return there.isSocket() ? openSocket(path) : openCharacterDevice(path)
}
