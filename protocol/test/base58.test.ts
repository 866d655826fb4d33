import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase58, toBase58 } from '../src/base58.js'
import { equalBytes, fromHex, utf8 } from '../src/bytes.js'
import { codeOf } from './code-of.js'

describe('base58', () => {
  it('gives the examples of the draft', () => {
    expect(toBase58(utf8('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U')
    expect(toBase58(fromHex('0000287fb4cd'))).toBe('11233QC4')
  })

  it('round-trips every byte string, leading zeros too', () => {
    const bytes = fc
      .tuple(fc.nat(4), fc.uint8Array({ maxLength: 40 }))
      .map(([zeros, rest]) => Uint8Array.of(...new Uint8Array(zeros), ...rest))
    fc.assert(fc.property(bytes, (value) => equalBytes(fromBase58(toBase58(value)), value)))
  })

  it.each(['0', 'O', 'I', 'l', 'a b', 'é', 'z'.repeat(129)])('%j is refused', (text) => {
    expect(codeOf(() => fromBase58(text))).toBe('encoding_malformed')
  })
})
