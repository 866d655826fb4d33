import { expect, test } from 'vitest'
import { bitsText, parseBits, parseSeconds } from '../../src/cli/parse-option.js'

test.each([
  ['0', 0],
  ['20', 20_000],
  ['5.286', 5286],
  ['0.5', 500],
])('%s bits are %i thousandths', (text, millibits) => {
  expect(parseBits(text)).toBe(millibits)
})

test.each(['', '-1', '1.', '.5', '1.0000', '1e3', '0x10', '1234567', ' 1'])('%j are no bits', (text) => {
  expect(() => parseBits(text)).toThrow()
})

test.each(['', '-1', '1.5', '1e3', '1234567', 'x'])('%j are no seconds', (text) => {
  expect(() => parseSeconds(text)).toThrow()
})

test('bits are shown to the thousandth', () => {
  expect([bitsText(0), bitsText(5286), bitsText(64_000)]).toEqual(['0.000 bits', '5.286 bits', '64.000 bits'])
})
