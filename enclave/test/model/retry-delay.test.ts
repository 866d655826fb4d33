import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type DelayTerms, retryDelayMs } from '../../src/model/retry-delay.js'

const terms = (change: Partial<DelayTerms>): DelayTerms => ({
  attempts: 1,
  retryAfter: undefined,
  nowSeconds: 1_800_000_000,
  random: (size) => new Uint8Array(size).fill(0xff),
  ...change,
})

test.each([
  [1, 499],
  [2, 999],
  [3, 1999],
  [5, 7999],
  [6, 7999],
  [60, 7999],
])('after %s attempts the wait is up to %s ms', (attempts, most) => {
  expect(retryDelayMs(terms({ attempts }))).toBe(most)
  expect(retryDelayMs(terms({ attempts, random: (size) => new Uint8Array(size) }))).toBe(0)
})

test('the wait is whole milliseconds within its bound, whatever chance says', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 2, maxLength: 2 }),
      fc.integer({ min: 1, max: 9 }),
      (octets, attempts) => {
        const delay = retryDelayMs(terms({ attempts, random: () => octets }))
        expect(Number.isInteger(delay)).toBe(true)
        expect(delay).toBeGreaterThanOrEqual(0)
        expect(delay).toBeLessThan(Math.min(8000, 500 * 2 ** (attempts - 1)))
      },
    ),
  )
})

test.each([
  ['seconds', '20', 20_000],
  ['fewer seconds than the bound', '0', 499],
  ['a date', new Date(1_800_000_007_000).toUTCString(), 7000],
  ['a date that is past', new Date(1_700_000_000_000).toUTCString(), 499],
])('Retry-After with %s is honoured', (_, retryAfter, ms) => {
  expect(retryDelayMs(terms({ retryAfter }))).toBe(ms)
})

test.each(['', '-5', '1e3', '1.5', 'soon', '999999999', '2027-01-15', '5, 5'])(
  'Retry-After of "%s" says nothing',
  (retryAfter) => {
    expect(retryDelayMs(terms({ retryAfter }))).toBe(499)
  },
)
