import { expect, test } from 'vitest'
import { type LaunchInput, readLaunch } from '../../src/measure/launch.js'
import { firmwareImage, MEASURED_BOOT } from './firmware-image.js'
import { refusedAs } from './refused-as.js'

const WITHOUT_TYPE: LaunchInput = {
  ovmf: firmwareImage(MEASURED_BOOT),
  vcpus: 2,
  vmm: 'QEMU',
  guestFeatures: 1n,
}
const INPUT: LaunchInput = { ...WITHOUT_TYPE, vcpuType: 'EPYC-Milan' }

test('a command line is hashed with the NUL at its end, and an absent one as that NUL', () => {
  const cmdlineOf = (more: Partial<LaunchInput>) =>
    readLaunch({ ...INPUT, kernel: Buffer.from('k'), ...more }).payload?.cmdline
  expect(cmdlineOf({ append: 'ro é' })).toEqual(Uint8Array.from([0x72, 0x6f, 0x20, 0xc3, 0xa9, 0]))
  expect(cmdlineOf({})).toEqual(Uint8Array.of(0))
})

test('a type and its signature are the same', () => {
  expect(readLaunch({ ...WITHOUT_TYPE, vcpuSignature: 0xa00f11 }).signature).toBe(readLaunch(INPUT).signature)
})

test.each(['ec2', 'gce'])('%s needs neither type nor signature', (vmm) => {
  expect(readLaunch({ ...WITHOUT_TYPE, vmm }).signature).toBeNull()
})

test.each<[string, Partial<LaunchInput>]>([
  ['no vcpu', { vcpus: 0 }],
  ['half a vcpu', { vcpus: 1.5 }],
  ['4097 vcpus', { vcpus: 4097 }],
  ['a type and a signature', { vcpuSignature: 0xa00f11 }],
  ['an unknown type', { vcpuType: 'EPYC-Naples' }],
  ['an unknown VMM', { vmm: 'xen' }],
  ['features without SNP', { guestFeatures: 0x20n }],
  ['features of 65 bits', { guestFeatures: (1n << 64n) | 1n }],
  ['negative features', { guestFeatures: -1n }],
  ['an initrd without a kernel', { initrd: Buffer.from('i') }],
  ['a command line without a kernel', { append: '' }],
  ['a NUL in the command line', { kernel: Buffer.from('k'), append: 'ro\0rw' }],
  ['a lone surrogate in the command line', { kernel: Buffer.from('k'), append: '\ud800' }],
  ['a firmware hash of 32 bytes', { ovmfHash: new Uint8Array(32) }],
])('%s is refused as measurement_input_malformed', async (_, change) => {
  await refusedAs('measurement_input_malformed', () => readLaunch({ ...INPUT, ...change }))
})

test('QEMU without type and signature is refused as measurement_input_malformed', async () => {
  await refusedAs('measurement_input_malformed', () => readLaunch(WITHOUT_TYPE))
})

test.each([-1, 0x100000000, 0.5])(
  'the signature %d is refused as measurement_input_malformed',
  async (signature) => {
    await refusedAs('measurement_input_malformed', () =>
      readLaunch({ ...WITHOUT_TYPE, vcpuSignature: signature }),
    )
  },
)

test('two vcpus of a firmware that does not say where the second starts are refused', async () => {
  const ovmf = firmwareImage({ ...MEASURED_BOOT, resetEip: null })
  await refusedAs('measurement_input_malformed', () => readLaunch({ ...INPUT, ovmf }))
  expect(readLaunch({ ...INPUT, ovmf, vcpus: 1 }).vcpus).toBe(1)
})

test('a firmware that is none is refused as firmware_malformed', async () => {
  await refusedAs('firmware_malformed', () => readLaunch({ ...INPUT, ovmf: new Uint8Array(4096) }))
})
