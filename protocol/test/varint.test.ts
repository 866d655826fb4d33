import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteReader } from '../src/byte-reader.js'
import { fromHex, toHex } from '../src/bytes.js'
import { encodeVarint, readVarint } from '../src/varint.js'
import { codeOf } from './code-of.js'

const read = (hex: string) => readVarint(new ByteReader(fromHex(hex), 'bhttp_malformed'))

describe('variable-length integers', () => {
  it.each([
    [37, '25'],
    [63, '3f'],
    [64, '4040'],
    [15293, '7bbd'],
    [16383, '7fff'],
    [16384, '80004000'],
    [494878333, '9d7f3e7d'],
    [2 ** 30 - 1, 'bfffffff'],
  ])('%i is written as %s', (number, hex) => {
    expect(toHex(encodeVarint(number))).toBe(hex)
    expect(read(hex)).toBe(number)
  })

  it('eight octets and longer forms than needed are read', () => {
    expect(read('c000000100000000')).toBe(2 ** 32)
    expect(read('4025')).toBe(37)
  })

  it('round-trip below 2^30', () => {
    fc.assert(fc.property(fc.nat(2 ** 30 - 1), (number) => read(toHex(encodeVarint(number))) === number))
  })

  it.each(['', '40', '800000', 'c0000000000000'])('%j is refused as too short', (hex) => {
    expect(codeOf(() => read(hex))).toBe('bhttp_malformed')
  })
})
