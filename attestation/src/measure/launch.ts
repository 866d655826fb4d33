import { AttestationError } from '../errors.js'
import { type Firmware, parseFirmware } from './firmware.js'
import type { Payload } from './kernel-hashes.js'
import { DIGEST_BYTES } from './page-info.js'
import { vcpuSignatureOf } from './vcpu-types.js'
import { parseVmm, type Vmm } from './vmm.js'

/** What a guest is launched with, as its owner knows it. */
export type LaunchInput = {
  /** The firmware image: whole 4 KiB pages, at most 16 MiB. */
  readonly ovmf: Uint8Array
  /** The kernel as the VMM loads it. QEMU versions that patch its setup header measure the patched bytes. */
  readonly kernel?: Uint8Array
  /** The initial file system. Only together with a kernel. */
  readonly initrd?: Uint8Array
  /** The kernel's command line, without a NUL. Only together with a kernel. */
  readonly append?: string
  /** How many processors: 1 to 4096. */
  readonly vcpus: number
  /** The processor that QEMU shows to the guest, by its name. This or `vcpuSignature`. */
  readonly vcpuType?: string
  /** The same as CPUID Fn0000_0001_EAX: 32 bits. Neither is needed for a VMM that puts a fixed value there. */
  readonly vcpuSignature?: number
  /** `qemu`, `ec2` or `gce`, in any case. */
  readonly vmm: string
  /** SEV_FEATURES: 64 bits, of which bit 0 is set. */
  readonly guestFeatures: bigint
  /** The launch digest after the firmware image (48 bytes), where that image is another one than `ovmf`. */
  readonly ovmfHash?: Uint8Array
}

/** A launch input that was checked. */
export type Launch = {
  readonly firmware: Firmware
  readonly payload: Payload | null
  readonly vcpus: number
  /** Null where it was not given, since the VMM puts a fixed value there. */
  readonly signature: number | null
  readonly vmm: Vmm
  readonly guestFeatures: bigint
  readonly ovmfHash: Uint8Array | null
}

const MAX_VCPUS = 4096
const SNP_ACTIVE = 1n

const refuse = (what: string): AttestationError => new AttestationError('measurement_input_malformed', what)

const readVcpus = (vcpus: number, firmware: Firmware): number => {
  if (!Number.isSafeInteger(vcpus) || vcpus < 1 || vcpus > MAX_VCPUS)
    throw refuse(`vcpus is not 1 to ${MAX_VCPUS}`)
  if (vcpus > 1 && firmware.resetEip === null)
    throw refuse('the firmware does not say where a second vcpu starts')
  return vcpus
}

const readSignature = ({ vcpuType, vcpuSignature }: LaunchInput, vmm: Vmm): number | null => {
  if (vcpuType !== undefined && vcpuSignature !== undefined)
    throw refuse('vcpu type and vcpu signature exclude each other')
  if (vcpuType !== undefined) return vcpuSignatureOf(vcpuType)
  if (vcpuSignature === undefined) {
    if (vmm === 'qemu') throw refuse('qemu needs a vcpu type or a vcpu signature')
    return null
  }
  if (!Number.isSafeInteger(vcpuSignature) || vcpuSignature < 0 || vcpuSignature > 0xffffffff) {
    throw refuse('vcpu signature is not an integer of 32 bits')
  }
  return vcpuSignature
}

const readGuestFeatures = (features: bigint): bigint => {
  if (BigInt.asUintN(64, features) !== features) throw refuse('guest features are not an integer of 64 bits')
  if ((features & SNP_ACTIVE) === 0n) throw refuse('guest features lack bit 0: not a guest of SEV-SNP')
  return features
}

/** What a VMM hashes of a command line: its bytes with the NUL that ends it. */
const cmdlineBytes = (append: string): Uint8Array => {
  // TextEncoder would replace a lone surrogate without a word, and a NUL inside would end the line for the VMM.
  if (append.includes('\0') || /\p{Surrogate}/u.test(append))
    throw refuse('append holds a NUL or is not well-formed text')
  return new TextEncoder().encode(`${append}\0`)
}

const readPayload = ({ kernel, initrd, append }: LaunchInput): Payload | null => {
  if (kernel !== undefined) {
    return { kernel, initrd: initrd ?? new Uint8Array(), cmdline: cmdlineBytes(append ?? '') }
  }
  if (initrd !== undefined || append !== undefined) throw refuse('initrd and append need a kernel')
  return null
}

const readOvmfHash = (hash: Uint8Array | undefined): Uint8Array | null => {
  if (hash !== undefined && hash.length !== DIGEST_BYTES)
    throw refuse(`ovmf hash has ${hash.length} bytes, not ${DIGEST_BYTES}`)
  return hash ?? null
}

/**
 * Checks what a guest is launched with.
 * @throws AttestationError measurement_input_malformed, firmware_malformed
 */
export const readLaunch = (input: LaunchInput): Launch => {
  const vmm = parseVmm(input.vmm)
  const firmware = parseFirmware(input.ovmf)
  return {
    firmware,
    payload: readPayload(input),
    vcpus: readVcpus(input.vcpus, firmware),
    signature: readSignature(input, vmm),
    vmm,
    guestFeatures: readGuestFeatures(input.guestFeatures),
    ovmfHash: readOvmfHash(input.ovmfHash),
  }
}
