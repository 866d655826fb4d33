import { expect, test } from 'vitest'
import { addressBlock } from '../src/address-block.js'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1', 'fe80:0:0:0'],
  ['', ''],
])('%s is counted as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})
