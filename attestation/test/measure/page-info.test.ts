import { expect, test } from 'vitest'
import { encodePageInfo } from '../../src/measure/page-info.js'

test('PAGE_INFO holds digest, contents, its own length, the type and the address, and nothing else', () => {
  const digest = new Uint8Array(48).fill(0xaa)
  const contents = new Uint8Array(48).fill(0xbb)
  const bytes = Buffer.from(encodePageInfo(digest, { type: 'VMSA', gpa: 0xfffffffff000, contents }))
  expect(bytes.toString('hex')).toBe(`${'aa'.repeat(48)}${'bb'.repeat(48)}700002000000000000f0ffffffff0000`)
})

test('a page whose contents are not measured has zeros in their place', () => {
  const bytes = encodePageInfo(new Uint8Array(48), { type: 'CPUID', gpa: 0x1000, contents: null })
  expect(bytes.subarray(48, 96)).toEqual(new Uint8Array(48))
  expect(bytes[0x62]).toBe(6)
})
