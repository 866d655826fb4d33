import { InvalidArgumentError } from 'commander'
import { describe, expect, test } from 'vitest'
import { budgetOf, parseWindow } from '../../src/cli/budget-options.js'

describe('a window of the command line', () => {
  test.each([
    ['60:1', 60, 1000],
    ['60s:0.5', 60, 500],
    ['2m:1', 120, 1000],
    ['1h:20', 3600, 20_000],
    ['31d:64.001', 2_678_400, 64_001],
  ])('%s', (text, seconds, limit_millibits) => {
    expect(parseWindow(text)).toEqual({ seconds, limit_millibits })
  })

  test.each(['', '1d', ':1', '0:1', '32d:1', '1w:1', '-1:1', '1d:', '1d:x', '1d:1.0001', '1.5h:1', '1d:1:1'])(
    '%j is no window',
    (text) => {
      expect(() => parseWindow(text)).toThrow(InvalidArgumentError)
    },
  )
})

test('a budget says nothing of what its owner did not', () => {
  expect(budgetOf({ tag: 'price' })).toEqual({ tag: 'price', limitMillibits: null })
  const window = { seconds: 60, limit_millibits: 1 }
  expect(budgetOf({ tag: 'price', limit: 5, window, pairLimit: 7 })).toEqual({
    tag: 'price',
    limitMillibits: 5,
    window,
    pairLimitMillibits: 7,
  })
})
