import { expect, test } from 'vitest'
import { freshInviteId, freshSessionId, freshUuid } from '../../src/agentvault-api/random-ids.js'

const octets = (value: number) => (size: number) => new Uint8Array(size).fill(value)

test('a UUID says that it is random, whatever the octets are', () => {
  expect(freshUuid(octets(0x00))).toBe('00000000-0000-4000-8000-000000000000')
  expect(freshUuid(octets(0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})

test('ids have the forms of theirs', () => {
  expect(freshSessionId(octets(0xab))).toBe('ab'.repeat(32))
  expect(freshInviteId(octets(0xab))).toBe(`inv_${'ab'.repeat(16)}`)
})
