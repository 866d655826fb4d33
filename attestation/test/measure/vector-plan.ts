import { DISK_BOOT, type FirmwarePlan, MEASURED_BOOT } from './firmware-image.js'

/** A launch as launch.json says it. Members are those of the options of `parley-verify measure`. */
export type PlannedLaunch = {
  readonly vcpus: number
  readonly vcpu_type?: string
  readonly vcpu_sig?: string
  readonly vmm: string
  readonly guest_features: string
  readonly append?: string
  readonly ovmf_hash?: string
}

/** A vector folder: firmware, launch, and whether kernel.bin and initrd.bin belong to it. */
export type PlannedVector = {
  readonly folder: string
  readonly what: string
  readonly firmware: FirmwarePlan
  readonly launch: PlannedLaunch
  readonly kernel?: string
  readonly initrd?: string
  /** The code of the refusal, where there is no digest. */
  readonly refused?: 'firmware_malformed' | 'measurement_input_malformed'
}

const DIRECT = { kernel: 'not a kernel, only its bytes\n', initrd: 'not a file system either\n' }
const LAUNCH: PlannedLaunch = { vcpus: 2, vcpu_type: 'EPYC-Milan', vmm: 'qemu', guest_features: '0x1' }
const HASH = '5a'.repeat(48)

const section = (type: number, size = 0x1000): FirmwarePlan => ({
  ...DISK_BOOT,
  sections: [...DISK_BOOT.sections, { type, gpa: 0x810000, size }],
})

/** Every vector that is made of our own firmware. */
export const VECTOR_PLAN: readonly PlannedVector[] = [
  {
    folder: 'measure-qemu-direct-boot',
    what: 'QEMU boots kernel, initrd and command line, all measured; the firmware asks for every kind of page.',
    firmware: MEASURED_BOOT,
    launch: { ...LAUNCH, append: 'console=ttyS0 ro' },
    ...DIRECT,
  },
  {
    folder: 'measure-qemu-disk-boot',
    what: 'QEMU boots from a disk with debug swap: the page for hashes stays zero.',
    firmware: MEASURED_BOOT,
    launch: { ...LAUNCH, vcpus: 4, vcpu_type: 'EPYC-Genoa', guest_features: '0x21' },
  },
  {
    folder: 'measure-qemu-signature',
    what: 'The vcpu by its signature, and the VMM in capitals.',
    firmware: DISK_BOOT,
    launch: { vcpus: 1, vcpu_sig: '0xb00f00', vmm: 'QEMU', guest_features: '0x1' },
  },
  {
    folder: 'measure-qemu-ovmf-hash',
    what: 'The digest goes on from a given one, which stands for another firmware image.',
    firmware: MEASURED_BOOT,
    launch: { ...LAUNCH, ovmf_hash: HASH },
  },
  {
    folder: 'measure-ec2',
    what: 'EC2: CPUID pages last, a processor state of its own.',
    firmware: MEASURED_BOOT,
    launch: { vcpus: 3, vmm: 'ec2', guest_features: '0x1' },
  },
  {
    folder: 'measure-gce',
    what: "Google's VMM: SEC_MEM unmeasured, a PAT of its own.",
    firmware: MEASURED_BOOT,
    launch: { vcpus: 2, vmm: 'gce', guest_features: '0x1' },
  },
  {
    folder: 'measure-kernel-unmeasured',
    what: 'A kernel for a firmware that would boot any: there is no page for its hash.',
    firmware: DISK_BOOT,
    launch: LAUNCH,
    ...DIRECT,
    refused: 'measurement_input_malformed',
  },
  {
    folder: 'measure-initrd-alone',
    what: 'An initrd without a kernel.',
    firmware: MEASURED_BOOT,
    launch: LAUNCH,
    initrd: DIRECT.initrd,
    refused: 'measurement_input_malformed',
  },
  {
    folder: 'measure-no-second-vcpu',
    what: 'Two vcpus, and a firmware that does not say where the second starts.',
    firmware: { ...DISK_BOOT, resetEip: null },
    launch: LAUNCH,
    refused: 'measurement_input_malformed',
  },
  {
    folder: 'measure-features-without-snp',
    what: 'Guest features without bit 0.',
    firmware: DISK_BOOT,
    launch: { ...LAUNCH, guest_features: '0x20' },
    refused: 'measurement_input_malformed',
  },
  {
    folder: 'measure-type-and-signature',
    what: 'The vcpu said twice.',
    firmware: DISK_BOOT,
    launch: { ...LAUNCH, vcpu_sig: '0xa00f11' },
    refused: 'measurement_input_malformed',
  },
  {
    folder: 'measure-section-unknown',
    what: 'The firmware asks for a kind of page that nobody knows.',
    firmware: section(5),
    launch: LAUNCH,
    refused: 'firmware_malformed',
  },
  {
    folder: 'measure-section-huge',
    what: 'The firmware asks for over 256 MiB.',
    firmware: section(1, 0x10000000),
    launch: LAUNCH,
    refused: 'firmware_malformed',
  },
  {
    folder: 'measure-metadata-version',
    what: 'Metadata of version 2.',
    firmware: { ...DISK_BOOT, metadataVersion: 2 },
    launch: LAUNCH,
    refused: 'firmware_malformed',
  },
]
