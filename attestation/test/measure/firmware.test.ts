import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseFirmware } from '../../src/measure/firmware.js'
import {
  DISK_BOOT,
  type FirmwarePlan,
  firmwareImage,
  footerTable,
  GUID,
  imageWithTable,
  MEASURED_BOOT,
  u32,
} from './firmware-image.js'
import { onlyRefusesAs, refusedAs } from './refused-as.js'

test('a firmware says where it is mapped, where its hashes go and where other processors start', () => {
  const firmware = parseFirmware(firmwareImage(MEASURED_BOOT))
  expect(firmware.gpa).toBe(0xffffe000)
  expect(firmware.hashTable).toEqual({ gpa: 0x810c00, size: 0x400 })
  expect(firmware.resetEip).toBe(0x80b004)
  expect(firmware.sections).toHaveLength(6)
})

test('a hash table at address zero is none', () => {
  expect(parseFirmware(firmwareImage(DISK_BOOT)).hashTable).toBeNull()
})

test('a firmware may leave out where its hashes go and where other processors start', () => {
  const firmware = parseFirmware(firmwareImage({ ...MEASURED_BOOT, hashTable: null, resetEip: null }))
  expect([firmware.hashTable, firmware.resetEip]).toEqual([null, null])
})

const withEntry = (guid: string, data: Uint8Array): FirmwarePlan => ({
  ...DISK_BOOT,
  hashTable: null,
  resetEip: null,
  extra: [{ guid, data }],
})

test.each<[string, Uint8Array]>([
  ['no bytes', new Uint8Array()],
  ['half a page', firmwareImage(DISK_BOOT).subarray(2048)],
  ['over 16 MiB', new Uint8Array(16 * 2 ** 20 + 4096)],
  ['no footer table', new Uint8Array(4096)],
  ['no SEV metadata', imageWithTable(1, footerTable([{ guid: GUID.OTHER, data: u32(0) }]))],
  [
    'metadata before the image',
    imageWithTable(1, footerTable([{ guid: GUID.SEV_METADATA, data: u32(4097) }])),
  ],
  [
    'a metadata offset of five bytes',
    imageWithTable(1, footerTable([{ guid: GUID.SEV_METADATA, data: new Uint8Array(5) }])),
  ],
  ['a reset block of two bytes', firmwareImage(withEntry(GUID.SEV_ES_RESET_BLOCK, new Uint8Array(2)))],
  ['a hash table entry of four bytes', firmwareImage(withEntry(GUID.SEV_HASH_TABLE_RV, u32(0x810c00)))],
])('a firmware with %s is refused as firmware_malformed', async (_, image) => {
  await refusedAs('firmware_malformed', () => parseFirmware(image))
})

test('any one changed byte leaves a firmware or a refusal as firmware_malformed', () => {
  const image = firmwareImage(MEASURED_BOOT)
  fc.assert(
    fc.property(
      fc.integer({ min: image.length - 0x500, max: image.length - 1 }),
      fc.nat(255),
      (at, value) => {
        const changed = Uint8Array.from(image)
        changed[at] = value
        onlyRefusesAs('firmware_malformed', () => parseFirmware(changed))
      },
    ),
    { numRuns: 500 },
  )
})
