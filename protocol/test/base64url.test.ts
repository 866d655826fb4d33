import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64url, toBase64url } from '../src/base64url.js'
import { equalBytes } from '../src/bytes.js'
import { codeOf } from './code-of.js'

describe('base64url', () => {
  it('writes what Node writes, and reads it back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = toBase64url(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64url'))
        return equalBytes(fromBase64url(text), bytes)
      }),
    )
  })

  it('accepts a text only if it is the one that the bytes are written as', () => {
    const digit = fc.constantFrom(...Array.from('ABghwxz09-_+/=. \u0141'))
    fc.assert(
      fc.property(fc.string({ unit: digit, maxLength: 9 }), (text) => {
        const code = codeOf(() => {
          expect(toBase64url(fromBase64url(text))).toBe(text)
        })
        return code === 'accepted' || code === 'encoding_malformed'
      }),
    )
  })

  it.each([
    ['padding', 'AA=='],
    ['the standard alphabet', '+/+/'],
    ['white space', 'AAA A'],
    ['a line break', 'AAAA\n'],
    ['a character beyond ASCII', 'AAA\u0141'],
    ['one character too many', 'AAAAA'],
    ['unused bits of two characters', 'AB'],
    ['unused bits of three characters', 'AAB'],
  ])('%s is refused', (_, text) => {
    expect(codeOf(() => fromBase64url(text))).toBe('encoding_malformed')
  })

  it('another size than the wanted one is refused', () => {
    expect(fromBase64url('AAA', 2)).toEqual(new Uint8Array(2))
    expect(codeOf(() => fromBase64url('AAA', 3))).toBe('encoding_malformed')
  })
})
