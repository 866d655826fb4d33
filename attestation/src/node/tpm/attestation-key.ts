import { askTpm, sized, uint16, uint32 } from './tpm-command.js'
import type { TpmDevice } from './tpm-device.js'

const ENDORSEMENT = 0x4000000b
const MAX_PUBLIC_BYTES = 1024
const MAX_QUOTE_BYTES = 1024
const NULL_SCHEME = 0x0010
const SHA256 = 0x000b
const SELECT_BYTES = 3

/** A key that is loaded in a TPM. */
export type LoadedKey = { readonly handle: number; readonly publicArea: Uint8Array }

// An empty password and no data of our own; nothing of outside, and no registers at its creation.
const SENSITIVE = sized(Buffer.concat([uint16(0), uint16(0)]))
const NOTHING_ELSE = Buffer.concat([uint16(0), uint32(0)])

/**
 * Makes the primary key of a template in the endorsement hierarchy: the same one whenever the template is the same,
 * so that whoever certified it once has certified this.
 * @param template TPMT_PUBLIC
 */
export const createAttestationKey = async (device: TpmDevice, template: Uint8Array): Promise<LoadedKey> => {
  const { handle, parameters } = await askTpm(device, {
    name: 'TPM2_CreatePrimary',
    code: 0x131,
    handles: [ENDORSEMENT],
    authorized: true,
    parameters: Buffer.concat([SENSITIVE, sized(template), NOTHING_ELSE]),
    responseHandles: 1,
  })
  return { handle, publicArea: Uint8Array.from(parameters.sized(MAX_PUBLIC_BYTES, 'a public area')) }
}

const selection = (pcrs: readonly number[]): Uint8Array => {
  const select = new Uint8Array(SELECT_BYTES)
  for (const pcr of pcrs) select[pcr >> 3] = (select[pcr >> 3] ?? 0) | (1 << (pcr & 7))
  return Buffer.concat([uint32(1), uint16(SHA256), Uint8Array.of(SELECT_BYTES), select])
}

/** Has a key attest registers of the SHA-256 bank, by its own scheme. */
export const quoteRegisters = async (
  device: TpmDevice,
  { handle }: LoadedKey,
  pcrs: readonly number[],
  qualifyingData: Uint8Array,
): Promise<{ readonly quote: Uint8Array; readonly signature: Uint8Array }> => {
  const { parameters } = await askTpm(device, {
    name: 'TPM2_Quote',
    code: 0x158,
    handles: [handle],
    authorized: true,
    parameters: Buffer.concat([sized(qualifyingData), uint16(NULL_SCHEME), selection(pcrs)]),
    responseHandles: 0,
  })
  const quote = Uint8Array.from(parameters.sized(MAX_QUOTE_BYTES, 'a quote'))
  return { quote, signature: Uint8Array.from(parameters.rest()) }
}

/** Takes a key out of the TPM's memory, where there is room for three. */
export const flushKey = async (device: TpmDevice, { handle }: LoadedKey): Promise<void> => {
  await askTpm(device, {
    name: 'TPM2_FlushContext',
    code: 0x165,
    handles: [],
    authorized: false,
    parameters: uint32(handle),
    responseHandles: 0,
  })
}
