import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { expectedLaunchDigest } from '../../src/measure/expected-launch-digest.js'
import type { LaunchInput } from '../../src/measure/launch.js'
import { firmwareImage, MEASURED_BOOT } from './firmware-image.js'
import { refusedAs } from './refused-as.js'

const INPUT: LaunchInput = {
  ovmf: firmwareImage(MEASURED_BOOT),
  vcpus: 3,
  vcpuType: 'EPYC-Milan',
  vmm: 'qemu',
  guestFeatures: 1n,
}

const digestOf = async (change: Partial<LaunchInput>): Promise<string> =>
  Buffer.from((await expectedLaunchDigest({ ...INPUT, ...change })).digest).toString('hex')

test('the steps are the firmware, its sections in order, the first vcpu, and the others', async () => {
  const { steps, digest } = await expectedLaunchDigest(INPUT)
  expect(steps.map(({ name, type, pages }) => `${name} ${type} ${pages}`)).toEqual([
    'firmware NORMAL 2',
    'sec_mem ZERO 3',
    'secrets SECRETS 1',
    'cpuid CPUID 1',
    'svsm_caa ZERO 1',
    'kernel_hashes ZERO 1',
    'sec_mem ZERO 2',
    'first vcpu VMSA 1',
    'other vcpus VMSA 2',
  ])
  expect(steps.at(-1)?.digest).toEqual(digest)
})

test('one page extends the digest to the SHA-384 of its PAGE_INFO', async () => {
  const ovmf = INPUT.ovmf.subarray(4096)
  const { steps } = await expectedLaunchDigest({ ...INPUT, ovmf })
  const info = Buffer.alloc(0x70)
  info.set(createHash('sha384').update(ovmf).digest(), 48)
  info.writeUInt16LE(0x70, 0x60)
  info[0x62] = 1
  info.writeBigUInt64LE(0xfffff000n, 0x68)
  expect(Buffer.from(steps[0]?.digest ?? []).equals(createHash('sha384').update(info).digest())).toBe(true)
})

test('a firmware hash stands for the image that it was made of', async () => {
  const { steps } = await expectedLaunchDigest(INPUT)
  const ovmfHash = steps[0]?.digest ?? new Uint8Array()
  const other = Uint8Array.from(INPUT.ovmf)
  other[0] = 0xff
  expect(await digestOf({ ovmf: other, ovmfHash })).toBe(await digestOf({}))
  expect(await digestOf({ ovmf: other })).not.toBe(await digestOf({}))
})

const KERNEL = { kernel: Buffer.from('k'), initrd: Buffer.from('i'), append: 'ro' }

test.each<[string, Partial<LaunchInput>, Partial<LaunchInput>]>([
  ['the number of vcpus', {}, { vcpus: 4 }],
  ['the vcpu type', {}, { vcpuType: 'EPYC-Genoa' }],
  ['debug swap', {}, { guestFeatures: 0x21n }],
  ['EC2', {}, { vmm: 'ec2' }],
  ['GCE', {}, { vmm: 'gce' }],
  ['a kernel', {}, KERNEL],
  ['one byte of the kernel', KERNEL, { ...KERNEL, kernel: Buffer.from('l') }],
  ['one byte of the initrd', KERNEL, { ...KERNEL, initrd: Buffer.from('j') }],
  ['one byte of the command line', KERNEL, { ...KERNEL, append: 'rw' }],
])('%s changes the digest', async (_, one, other) => {
  expect(await digestOf(one)).not.toBe(await digestOf(other))
})

test('an absent initrd is an empty one, and an absent command line an empty one', async () => {
  const { kernel } = KERNEL
  expect(await digestOf({ kernel })).toBe(await digestOf({ kernel, initrd: new Uint8Array(), append: '' }))
})

test.each(['ec2', 'gce'])('the vcpu type changes nothing on %s', async (vmm) => {
  expect(await digestOf({ vmm, vcpuType: 'EPYC-Turin' })).toBe(await digestOf({ vmm }))
})

test('a kernel that the firmware would not check is refused as measurement_input_malformed', async () => {
  const ovmf = firmwareImage({ ...MEASURED_BOOT, hashTable: null })
  await refusedAs('measurement_input_malformed', () => expectedLaunchDigest({ ...INPUT, ...KERNEL, ovmf }))
})
