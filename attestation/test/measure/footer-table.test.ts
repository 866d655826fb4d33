import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readFooterTable } from '../../src/measure/footer-table.js'
import { footerTable, GUID, imageWithTable, u32 } from './firmware-image.js'
import { onlyRefusesAs, refusedAs } from './refused-as.js'

const ENTRY = { guid: GUID.SEV_METADATA, data: u32(0x554) }
const imageOf = (...entries: Parameters<typeof footerTable>[0]): Buffer =>
  imageWithTable(1, footerTable(entries))

// Where the parts of the table stand, counted from the end of the image.
const FOOTER_GUID_FROM_END = 48
const FOOTER_SIZE_FROM_END = 50
const LAST_ENTRY_SIZE_FROM_END = 68

test('entries are found by their GUID, unknown ones with them', () => {
  const table = readFooterTable(imageOf({ guid: GUID.OTHER, data: u32(1, 2) }, ENTRY))
  expect([...table.keys()]).toEqual([GUID.SEV_METADATA, GUID.OTHER])
  expect([...(table.get(GUID.OTHER) ?? [])]).toEqual([...u32(1, 2)])
})

test('a table without entries is empty', () => {
  expect(readFooterTable(imageOf()).size).toBe(0)
})

test('an image without the footer GUID is refused as firmware_malformed', async () => {
  const image = imageOf(ENTRY)
  image[image.length - FOOTER_GUID_FROM_END] = 0
  await refusedAs('firmware_malformed', () => readFooterTable(image))
})

test('one GUID twice is refused as firmware_malformed', async () => {
  await refusedAs('firmware_malformed', () => readFooterTable(imageOf(ENTRY, ENTRY)))
})

test.each([0, 17, 0x2000])('a table of %i bytes is refused as firmware_malformed', async (size) => {
  const image = imageOf(ENTRY)
  image.writeUInt16LE(size, image.length - FOOTER_SIZE_FROM_END)
  await refusedAs('firmware_malformed', () => readFooterTable(image))
})

test.each([0, 17, 23])(
  'an entry of 22 bytes that claims %i is refused as firmware_malformed',
  async (size) => {
    const image = imageOf(ENTRY)
    image.writeUInt16LE(size, image.length - LAST_ENTRY_SIZE_FROM_END)
    await refusedAs('firmware_malformed', () => readFooterTable(image))
  },
)

test('bytes before the first entry that make none are refused as firmware_malformed', async () => {
  const image = imageOf(ENTRY)
  image.writeUInt16LE(18 + 22 + 3, image.length - FOOTER_SIZE_FROM_END)
  await refusedAs('firmware_malformed', () => readFooterTable(image))
})

test('an image shorter than a reset vector is refused as firmware_malformed', async () => {
  await refusedAs('firmware_malformed', () => readFooterTable(new Uint8Array(31)))
})

test('arbitrary bytes are a table or refused as firmware_malformed, never anything else', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      onlyRefusesAs('firmware_malformed', () => readFooterTable(imageWithTable(1, bytes)))
    }),
  )
})
