import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { askTpm, type TpmDevice } from '@parley/attestation/node'
import { openTpmSocket } from './tpm-socket.js'
import { digestOf, type LoggedEvent } from '../tpm/encode-event-log.js'
import { be16, be32, tpm2b } from '../tpm/encode-tpm.js'

/** swtpm with a socket. */
export type SoftwareTpm = { readonly socket: string; readonly stop: () => Promise<void> }

const OWNER = 0x40000001
const SHA256 = 0x000b
/** OWNERWRITE, OWNERREAD, AUTHREAD, NO_DA (TPM 2.0 Library, Part 2, §13.4). */
const READABLE = 0x0206_0002
const CHUNK_BYTES = 512
const PATIENCE_MS = 100

/** Starts swtpm in a folder of its own; it ends with `stop`. */
export const startSoftwareTpm = async (folder: string): Promise<SoftwareTpm> => {
  const socket = join(folder, 'tpm.sock')
  const state = ['--tpmstate', `dir=${folder}`, '--server', `type=unixio,path=${socket}`]
  const flags = ['--flags', 'not-need-init,startup-clear']
  const child = spawn('swtpm', ['socket', '--tpm2', ...state, ...flags], { stdio: 'inherit' })
  while (!existsSync(socket)) {
    if (child.exitCode !== null) throw new Error('swtpm ended; it is in Debian as the package swtpm')
    await sleep(PATIENCE_MS)
  }
  return { socket, stop: () => ended(child) }
}

const ended = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    if (child.exitCode !== null) resolve()
    child.once('exit', () => {
      resolve()
    })
    child.kill()
  })

const ask = async (
  name: string,
  code: number,
  handles: readonly number[],
  parameters: Uint8Array,
  device: TpmDevice,
) => askTpm(device, { name, code, handles, authorized: true, parameters, responseHandles: 0 })

/** Extends the registers as the firmware of a machine that booted so would have. */
export const extendRegisters = async (device: TpmDevice, events: readonly LoggedEvent[]): Promise<void> => {
  for (const event of events) {
    const digests = Buffer.concat([be32(1), be16(SHA256), digestOf(event)])
    await ask('TPM2_PCR_Extend', 0x182, [event.pcr], digests, device)
  }
}

/** Defines an NV index and writes it, as Google's machines have theirs when they start. */
export const writeNv = async (device: TpmDevice, index: number, content: Uint8Array): Promise<void> => {
  const area = Buffer.concat([be32(index), be16(SHA256), be32(READABLE), be16(0), be16(content.length)])
  await ask('TPM2_NV_DefineSpace', 0x12a, [OWNER], Buffer.concat([be16(0), tpm2b(area)]), device)
  for (let offset = 0; offset < content.length; offset += CHUNK_BYTES) {
    const part = content.subarray(offset, offset + CHUNK_BYTES)
    await ask('TPM2_NV_Write', 0x137, [OWNER, index], Buffer.concat([tpm2b(part), be16(offset)]), device)
  }
}

/** The public area of the key that a template makes. */
export const publicAreaOf = async (device: TpmDevice, template: Uint8Array): Promise<Uint8Array> => {
  const parameters = Buffer.concat([tpm2b(Buffer.alloc(4)), tpm2b(template), be16(0), be32(0)])
  const command = {
    name: 'TPM2_CreatePrimary',
    code: 0x131,
    handles: [0x4000000b],
    authorized: true,
    parameters,
  }
  const made = await askTpm(device, { ...command, responseHandles: 1 })
  const publicArea = Uint8Array.from(made.parameters.sized(1024, 'a public area'))
  await askTpm(device, {
    name: 'TPM2_FlushContext',
    code: 0x165,
    handles: [],
    authorized: false,
    parameters: be32(made.handle),
    responseHandles: 0,
  })
  return publicArea
}

/** Opens it. */
export const openSoftwareTpm = ({ socket }: SoftwareTpm): Promise<TpmDevice> => openTpmSocket(socket)
