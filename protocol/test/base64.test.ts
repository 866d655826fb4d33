import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../src/base64.js'
import { equalBytes } from '../src/bytes.js'
import { codeOf } from './code-of.js'

describe('base64', () => {
  it('writes what Node writes, and reads it back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = toBase64(bytes)
        expect(text).toBe(Buffer.from(bytes).toString('base64'))
        return equalBytes(fromBase64(text), bytes)
      }),
    )
  })

  it.each(['AA', 'AAA', 'A===', 'AA=A', '====', '=', 'AB==', 'AAB=', 'AAA-', 'AA==AAAA', 'AAAA\n', ' AAA'])(
    '%j is refused',
    (text) => {
      expect(codeOf(() => fromBase64(text))).toBe('encoding_malformed')
    },
  )
})
