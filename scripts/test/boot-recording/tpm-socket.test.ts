import { createServer } from 'node:net'
import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { openTpmSocket } from '../../src/boot-recording/tpm-socket.js'

const folder = mkdtempSync(join(tmpdir(), 'parley-tpm-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})
const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'))

describe('a TPM behind a socket', () => {
  it('is asked one command, answers it in whatever pieces, and may hang up', async () => {
    const path = join(folder, 'tpm.sock')
    const server = createServer((socket) => {
      socket
        .on('error', () => undefined)
        .on('data', (command: Buffer) => {
          if (command[0] === 0) socket.destroy()
          else {
            socket.write(bytes('80010000'))
            socket.write(bytes('000a00000922'))
          }
        })
    })
    await new Promise<void>((resolve) => {
      server.listen(path, resolve)
    })
    const device = await openTpmSocket(path)
    expect(await device.exchange(bytes('8001'))).toEqual(bytes('80010000000a00000922'))
    await expect(device.exchange(bytes('00'))).rejects.toThrow('the TPM hung up')
    await device.close()
    await new Promise((resolve) => server.close(resolve))
  })
})
