import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSevMetadata } from '../../src/measure/sev-metadata.js'
import { u32 } from './firmware-image.js'
import { onlyRefusesAs, refusedAs } from './refused-as.js'

type Header = {
  readonly signature?: string
  readonly size?: number
  readonly version?: number
  readonly count?: number
}

const SECTION = [0x800000, 0x1000, 1] as const

const metadata = (sections: readonly (readonly number[])[], header: Header = {}): Uint8Array => {
  const {
    signature = 'ASEV',
    size = 16 + 12 * sections.length,
    version = 1,
    count = sections.length,
  } = header
  return Buffer.concat([
    Buffer.from(signature, 'ascii'),
    u32(size, version, count),
    ...sections.map((s) => u32(...s)),
  ])
}

test('sections come in the order of the file', () => {
  expect(readSevMetadata(metadata([[0x80e000, 0x1000, 3], SECTION]))).toEqual([
    { kind: 'CPUID', gpa: 0x80e000, pages: 1 },
    { kind: 'SEC_MEM', gpa: 0x800000, pages: 1 },
  ])
})

test('every type of section that edk2 writes is known, SVSM_CAA too', () => {
  const types = [1, 2, 3, 4, 0x10]
  const kinds = readSevMetadata(metadata(types.map((type) => [0x1000, 0x1000, type]))).map(({ kind }) => kind)
  expect(kinds).toEqual(['SEC_MEM', 'SECRETS', 'CPUID', 'SVSM_CAA', 'KERNEL_HASHES'])
})

test.each<[string, Uint8Array]>([
  ['of an unknown type', metadata([[0x1000, 0x1000, 5]])],
  ['at no page', metadata([[0x1001, 0x1000, 1]])],
  ['of half a page', metadata([[0x1000, 0x800, 1]])],
  ['of no page', metadata([[0x1000, 0, 1]])],
  ['beyond 4 GiB', metadata([[0xfffff000, 0x2000, 1]])],
  ['of over 256 MiB', metadata([[0, 0x10001000, 1]])],
  ['cut short', metadata([SECTION]).subarray(0, 27)],
])('a section %s is refused as firmware_malformed', async (_, bytes) => {
  await refusedAs('firmware_malformed', () => readSevMetadata(bytes))
})

test.each<[string, Uint8Array]>([
  ['another signature', metadata([SECTION], { signature: 'ATDX' })],
  ['version 2', metadata([SECTION], { version: 2 })],
  ['a count that its size contradicts', metadata([SECTION], { count: 2 })],
  ['a size that its count contradicts', metadata([SECTION], { size: 29 })],
  ['no header', new Uint8Array(15)],
])('metadata with %s is refused as firmware_malformed', async (_, bytes) => {
  await refusedAs('firmware_malformed', () => readSevMetadata(bytes))
})

test('arbitrary sections are read as they are written, or refused as firmware_malformed', () => {
  const word = fc.oneof(
    fc.nat(0x20),
    fc.nat(0xffff).map((page) => page * 4096),
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(word, word, fc.nat(0x11)), { maxLength: 5 }), (sections) => {
      onlyRefusesAs('firmware_malformed', () => {
        const read = readSevMetadata(metadata(sections)).map(({ gpa, pages }) => [gpa, pages * 4096])
        expect(read).toEqual(sections.map(([gpa, size]) => [gpa, size]))
      })
    }),
  )
})

test('arbitrary bytes are metadata or refused as firmware_malformed', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      onlyRefusesAs('firmware_malformed', () => readSevMetadata(bytes))
    }),
  )
})
