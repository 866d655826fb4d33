import { setTimeout as sleep } from 'node:timers/promises'
import { FieldReader, type FieldForm } from '../../boot/field-reader.js'
import type { TpmDevice } from './tpm-device.js'
import { tpmFailure } from './tpm-failure.js'

/** One command (TPM 2.0 Library, Part 3). */
export type TpmCommand = {
  readonly name: string
  readonly code: number
  readonly handles: readonly number[]
  /** Whether the first handle needs authorization: it is by the empty password. */
  readonly authorized: boolean
  readonly parameters: Uint8Array
  /** How many handles the response begins with. */
  readonly responseHandles: 0 | 1
}

/** What came back. */
export type TpmResponse = { readonly handle: number; readonly parameters: FieldReader }

const NO_SESSIONS = 0x8001
const SESSIONS = 0x8002
const SUCCESS = 0
const HEADER_BYTES = 10
const CODE_AT = 6

// TPM_RS_PW, no nonce, no attributes, an empty password: nothing that a host could not do as well is guarded by it.
const EMPTY_PASSWORD = Uint8Array.of(0, 0, 0, 9, 0x40, 0, 0, 9, 0, 0, 0, 0, 0)

const RESPONSE: FieldForm = { code: 'collector_failed', littleEndian: false }

/** Big-endian. */
export const uint16 = (value: number): Uint8Array => Uint8Array.of(value >>> 8, value & 0xff)

/** Big-endian. */
export const uint32 = (value: number): Uint8Array =>
  Uint8Array.of(value >>> 24, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff)

/** A TPM2B. */
export const sized = (bytes: Uint8Array): Uint8Array => Buffer.concat([uint16(bytes.length), bytes])

const encode = ({ code, handles, authorized, parameters }: TpmCommand): Uint8Array => {
  const body = Buffer.concat([
    ...handles.map(uint32),
    authorized ? EMPTY_PASSWORD : new Uint8Array(),
    parameters,
  ])
  const tag = authorized ? SESSIONS : NO_SESSIONS
  return Buffer.concat([uint16(tag), uint32(HEADER_BYTES + body.length), uint32(code), body])
}

// TPM_RC_YIELDED, TPM_RC_TESTING, TPM_RC_RETRY: it has not begun, and wants to be asked again. A TPM tests an algorithm
// when it is used first, and the kernel passes that on.
const ASK_AGAIN = [0x908, 0x90a, 0x922]
const MOST_ATTEMPTS = 10
const PAUSE_MS = 50

const wantsToBeAskedAgain = (response: Uint8Array): boolean =>
  response.length === HEADER_BYTES && ASK_AGAIN.includes(Buffer.from(response).readUInt32BE(CODE_AT))

const exchange = async ({ exchange: send }: TpmDevice, command: Uint8Array): Promise<Uint8Array> => {
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    const response = await send(command)
    if (!wantsToBeAskedAgain(response)) return response
    await sleep(attempt * PAUSE_MS)
  }
  return send(command)
}

const readHeader = (command: TpmCommand, response: Uint8Array): { reader: FieldReader; tag: number } => {
  const reader = new FieldReader(response, RESPONSE)
  const tag = reader.uint16()
  if (reader.uint32() !== response.length)
    throw reader.malformed(`${command.name}: a response of another length`)
  const code = reader.uint32()
  if (code !== SUCCESS) throw tpmFailure(command.name, code)
  if (tag !== (command.authorized ? SESSIONS : NO_SESSIONS))
    throw reader.malformed(`${command.name}: a response of another form`)
  return { reader, tag }
}

/**
 * Has a TPM do one thing.
 * @throws AttestationError of class collection
 */
export const askTpm = async (device: TpmDevice, command: TpmCommand): Promise<TpmResponse> => {
  const response = await exchange(device, encode(command))
  const { reader, tag } = readHeader(command, response)
  const handle = command.responseHandles === 1 ? reader.uint32() : 0
  const handlesBytes = 4 * command.responseHandles
  const parameters =
    tag === SESSIONS
      ? reader.bytes(reader.uint32())
      : reader.bytes(response.length - HEADER_BYTES - handlesBytes)
  return { handle, parameters: new FieldReader(parameters, RESPONSE) }
}
