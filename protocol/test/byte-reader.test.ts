import { describe, expect, it } from 'vitest'
import { ByteReader } from '../src/byte-reader.js'
import { codeOf } from './code-of.js'

const BYTES = Uint8Array.of(1, 2, 3, 4, 5)

describe('ByteReader', () => {
  it('reads big-endian numbers and views in order', () => {
    const reader = new ByteReader(BYTES, 'bhttp_malformed')
    expect([reader.u8(), reader.u16()]).toEqual([1, 0x0203])
    expect(reader.done).toBe(false)
    expect(reader.rest()).toEqual(Uint8Array.of(4, 5))
    expect(reader.done).toBe(true)
  })

  it.each([6, Infinity, 2 ** 53])(
    'running %d bytes ahead is refused under the code of the caller',
    (length) => {
      expect(codeOf(() => new ByteReader(BYTES, 'bhttp_malformed').take(length))).toBe('bhttp_malformed')
      expect(codeOf(() => new ByteReader(BYTES, 'ohttp_malformed').take(length))).toBe('ohttp_malformed')
    },
  )

  it('a read that was refused takes nothing', () => {
    const reader = new ByteReader(BYTES, 'bhttp_malformed')
    expect(codeOf(() => reader.take(6))).toBe('bhttp_malformed')
    expect(reader.u8()).toBe(1)
  })
})
