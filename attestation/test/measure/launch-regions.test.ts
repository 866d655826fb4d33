import { expect, test } from 'vitest'
import { parseFirmware } from '../../src/measure/firmware.js'
import { hashPayload, kernelHashTable } from '../../src/measure/kernel-hashes.js'
import { imageRegion, metadataRegions } from '../../src/measure/launch-regions.js'
import { DISK_BOOT, firmwareImage, MEASURED_BOOT } from './firmware-image.js'
import { refusedAs } from './refused-as.js'

const FIRMWARE = parseFirmware(firmwareImage(MEASURED_BOOT))
const PAYLOAD = { kernel: Buffer.from('k'), initrd: Buffer.from('i'), cmdline: Buffer.from('c\0') }

test('the image is launched as normal pages up to 4 GiB', () => {
  const { type, gpa, pages } = imageRegion(FIRMWARE)
  expect({ type, end: gpa + pages * 4096 }).toEqual({ type: 'NORMAL', end: 2 ** 32 })
})

test('QEMU launches sections in their order, SEC_MEM, SVSM_CAA and unused hashes as zero pages', () => {
  const types = metadataRegions(FIRMWARE, 'qemu', null).map(({ type }) => type)
  expect(types).toEqual(['ZERO', 'SECRETS', 'CPUID', 'ZERO', 'ZERO', 'ZERO'])
})

test("Google's VMM leaves SEC_MEM unmeasured", () => {
  const types = metadataRegions(FIRMWARE, 'gce', null).map(({ type }) => type)
  expect(types).toEqual(['UNMEASURED', 'SECRETS', 'CPUID', 'ZERO', 'ZERO', 'UNMEASURED'])
})

test('EC2 launches CPUID after all others', () => {
  const names = metadataRegions(FIRMWARE, 'ec2', null).map(({ name }) => name)
  expect(names).toEqual(['sec_mem', 'secrets', 'svsm_caa', 'kernel_hashes', 'sec_mem', 'cpuid'])
})

test('the hashes stand in a normal page of zeros, where the firmware looks for them', async () => {
  const hashes = await hashPayload(PAYLOAD)
  const region = metadataRegions(FIRMWARE, 'qemu', hashes).find(({ name }) => name === 'kernel_hashes')
  const page = new Uint8Array(4096)
  page.set(kernelHashTable(hashes), 0xc00)
  expect(region).toMatchObject({ type: 'NORMAL', gpa: 0x810000, contents: page })
})

test.each([
  ['without a table for hashes', { ...MEASURED_BOOT, hashTable: null }],
  ['with a table at address zero', { ...MEASURED_BOOT, hashTable: { gpa: 0, size: 0 } }],
  ['with a table of 175 bytes', { ...MEASURED_BOOT, hashTable: { gpa: 0x810c00, size: 175 } }],
  ['whose table leaves its page', { ...MEASURED_BOOT, hashTable: { gpa: 0x810f51, size: 0x400 } }],
  ['without a page for hashes', { ...DISK_BOOT, hashTable: { gpa: 0x810c00, size: 0x400 } }],
])('a kernel for a firmware %s is refused as measurement_input_malformed', async (_, plan) => {
  const hashes = await hashPayload(PAYLOAD)
  const firmware = parseFirmware(firmwareImage(plan))
  await refusedAs('measurement_input_malformed', () => metadataRegions(firmware, 'qemu', hashes))
})
