import { connect, type Socket } from 'node:net'
import type { TpmDevice } from '@parley/attestation/node'

// The largest answer of Linux's driver (drivers/char/tpm/tpm.h, TPM_BUFSIZE), and here too.
const MAX_RESPONSE_BYTES = 4096
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
        reject(new Error('the TPM hung up'))
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
    // On a socket that is closed already, nothing else would say so.
    socket.write(command, (error) => {
      if (error) fail()
    })
  })

/** Opens the software TPM behind a socket. */
export const openTpmSocket = async (path: string): Promise<TpmDevice> => {
  const socket = connect(path)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
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
