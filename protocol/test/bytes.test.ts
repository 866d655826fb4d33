import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { concatBytes, equalBytes, fromHex, fromUtf8, isWellFormed, toHex, utf8 } from '../src/bytes.js'
import { codeOf } from './code-of.js'

describe('bytes', () => {
  it('concatBytes joins parts in order into a new array', () => {
    const part = Uint8Array.of(1, 2)
    const joined = concatBytes(part, new Uint8Array(0), Uint8Array.of(3))
    part[0] = 9
    expect(joined).toEqual(Uint8Array.of(1, 2, 3))
  })

  it('equalBytes is true for the same octets only', () => {
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2))).toBe(true)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3))).toBe(false)
    expect(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1))).toBe(false)
    expect(equalBytes(Uint8Array.of(0), new Uint8Array(0))).toBe(false)
  })
})

describe('UTF-8', () => {
  it('round-trips every well-formed text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => fromUtf8(utf8(text)) === text))
  })

  it('keeps a byte order mark', () => {
    expect(fromUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x61))).toBe('\ufeffa')
  })

  it.each(['\ud800', 'a\udc00', '\udc00\ud800'])('a lone surrogate has no bytes', (text) => {
    expect(isWellFormed(text)).toBe(false)
    expect(codeOf(() => utf8(text))).toBe('encoding_malformed')
  })

  it.each(['80', 'c0af', 'eda080', 'f4908080', 'e282'])('bytes %s are not UTF-8', (hex) => {
    expect(codeOf(() => fromUtf8(fromHex(hex)))).toBe('encoding_malformed')
  })
})

describe('hex', () => {
  it('round-trips every byte string', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => equalBytes(fromHex(toHex(bytes)), bytes)))
  })

  it.each(['0', 'AB', '0g', ' 00', '00\n', '0x00'])('%j is refused', (text) => {
    expect(codeOf(() => fromHex(text))).toBe('encoding_malformed')
  })

  it('another size than the wanted one is refused', () => {
    expect(fromHex('0001', 2)).toEqual(Uint8Array.of(0, 1))
    expect(codeOf(() => fromHex('0001', 1))).toBe('encoding_malformed')
    expect(codeOf(() => fromHex('', 1))).toBe('encoding_malformed')
  })
})
