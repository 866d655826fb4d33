import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { requireExactNumbers } from '../../src/index.js'
import { codeOf } from '../code-of.js'

const code = (value: never): string =>
  codeOf(() => {
    requireExactNumbers(value)
  })

describe('numbers that are what they seem', () => {
  it.each([2 ** 53 - 1, -(2 ** 53) + 1, 0.1, 1e-7, 5e-324])('are those like %d', (number) => {
    expect(code([{ number }] as never)).toBe('accepted')
  })

  it.each([2 ** 53, -(2 ** 53), 1e21, 1.7e308])('are not those like %d, wherever they stand', (number) => {
    for (const value of [number, [number], { a: { b: [number] } }])
      expect(code(value as never)).toBe('object_malformed')
  })

  it('are all that I-JSON recommends and no integer beyond it', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const expected = Number.isInteger(number) && !Number.isSafeInteger(number)
        expect(code(number as never)).toBe(expected ? 'object_malformed' : 'accepted')
      }),
    )
  })
})
