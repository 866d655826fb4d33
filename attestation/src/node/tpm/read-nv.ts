import { AttestationError } from '../../errors.js'
import { askTpm, uint16 } from './tpm-command.js'
import type { TpmDevice } from './tpm-device.js'

const OWNER = 0x40000001
const MAX_INDEX_BYTES = 8192
const MAX_NAME_BYTES = 34
const MAX_POLICY_BYTES = 64
// Every TPM hands over so much at once (TPM_PT_NV_BUFFER_MAX is at least 512 on PCs).
const CHUNK_BYTES = 512

const readSize = async (device: TpmDevice, index: number): Promise<number> => {
  const { parameters } = await askTpm(device, {
    name: 'TPM2_NV_ReadPublic',
    code: 0x169,
    handles: [index],
    authorized: false,
    parameters: new Uint8Array(),
    responseHandles: 0,
  })
  // TPMS_NV_PUBLIC: index, algorithm of the name, attributes, policy, size.
  parameters.uint16()
  parameters.bytes(4 + 2 + 4)
  parameters.sized(MAX_POLICY_BYTES, 'a policy')
  const size = parameters.uint16()
  parameters.sized(MAX_NAME_BYTES, 'a name')
  parameters.finish('the public area of an index')
  if (size > MAX_INDEX_BYTES) throw new AttestationError('collector_failed', `an NV index of ${size} bytes`)
  return size
}

const readChunk = async (
  device: TpmDevice,
  index: number,
  size: number,
  offset: number,
): Promise<Uint8Array> => {
  const { parameters } = await askTpm(device, {
    name: 'TPM2_NV_Read',
    code: 0x14e,
    handles: [OWNER, index],
    authorized: true,
    parameters: Buffer.concat([uint16(size), uint16(offset)]),
    responseHandles: 0,
  })
  const bytes = parameters.sized(size, 'a part of an index')
  parameters.finish('a part of an index')
  if (bytes.length !== size) throw parameters.malformed('a part of an index is cut short')
  return bytes
}

/**
 * The content of an NV index, read with the owner's empty password.
 * @throws AttestationError tpm_key_missing where there is no such index, or nothing in it; of class collection
 */
export const readNv = async (device: TpmDevice, index: number): Promise<Uint8Array> => {
  const size = await readSize(device, index)
  const parts: Uint8Array[] = []
  for (let offset = 0; offset < size; offset += CHUNK_BYTES)
    parts.push(await readChunk(device, index, Math.min(CHUNK_BYTES, size - offset), offset))
  return Uint8Array.from(Buffer.concat(parts))
}
