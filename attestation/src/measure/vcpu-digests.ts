import { sha384 } from './sha384.js'
import { encodeVmsa, RESET_VECTOR, type VcpuState } from './vmsa.js'

/** The SHA-384 of the VMSA page of the first processor and of any other. */
export type VcpuDigests = {
  readonly first: Uint8Array
  /** Null where the firmware does not say where another processor starts. */
  readonly other: Uint8Array | null
}

/** Hashes the VMSA pages of a launch. */
export const vcpuDigests = async (
  state: Omit<VcpuState, 'eip'>,
  resetEip: number | null,
): Promise<VcpuDigests> => ({
  first: await sha384(encodeVmsa({ ...state, eip: RESET_VECTOR })),
  other: resetEip === null ? null : await sha384(encodeVmsa({ ...state, eip: resetEip })),
})
