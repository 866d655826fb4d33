import { ABORT_CLASSES } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chargeMillibits } from '../../src/capacity/charge-millibits.js'
import { capacityOf } from '../../src/index.js'

/** The definition, taken literally. */
const leastMillibits = (outcomes: bigint): number => {
  const power = outcomes ** 1000n
  return power === 1n ? 0 : (power - 1n).toString(2).length
}

describe('the charge', () => {
  test('is the least m with outcomes^1000 ≤ 2^m', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 200n }), (outcomes) => {
        expect(chargeMillibits(outcomes)).toBe(leastMillibits(outcomes))
      }),
      { numRuns: 300 },
    )
  })

  test('is exact at and beside powers of two, where an approximation would be off', () => {
    for (const exponent of [1n, 2n, 8n, 63n, 64n, 255n, 256n, 257n, 1000n, 4096n]) {
      const power = 2n ** exponent
      expect(chargeMillibits(power)).toBe(Number(exponent) * 1000)
      for (const beside of [power - 1n, power + 1n])
        expect(chargeMillibits(beside)).toBe(leastMillibits(beside))
    }
  })

  test.each([
    [1n, 0],
    [2n, 1000],
    [3n, 1585],
    [5n, 2322],
    [10n, 3322],
    [1000n, 9966],
  ])('of %d outcomes is %d', (outcomes, millibits) => {
    expect(chargeMillibits(outcomes)).toBe(millibits)
  })

  test('never falls when outcomes grow', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 2n ** 4096n }),
        fc.bigInt({ min: 0n, max: 1000n }),
        (outcomes, more) => {
          expect(chargeMillibits(outcomes + more)).toBeGreaterThanOrEqual(chargeMillibits(outcomes))
        },
      ),
      { numRuns: 200 },
    )
  })
})

describe('capacity', () => {
  test('counts each abort class as one more outcome', () => {
    const { outputs, outcomes } = capacityOf(35n, 6, 'llm')
    expect([outputs, outcomes]).toEqual(['35', String(35 + ABORT_CLASSES.length)])
  })

  test.each([
    ['cel', '39'],
    ['llm', '42'],
    ['local', '42'],
  ] as const)('with evaluator %s counts the classes that it can end in', (evaluator, outcomes) => {
    expect(capacityOf(35n, null, evaluator).outcomes).toBe(outcomes)
  })

  test('has ⌈log2 outcomes⌉ bits, which the charge rounds up to', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n ** 4096n }), (outputs) => {
        const { bits, outcomes, charge_millibits } = capacityOf(outputs, null, 'cel')
        expect(2n ** BigInt(bits)).toBeGreaterThanOrEqual(BigInt(outcomes))
        expect(2n ** BigInt(bits - 1)).toBeLessThan(BigInt(outcomes))
        expect(Math.ceil(charge_millibits / 1000)).toBe(bits)
      }),
      { numRuns: 200 },
    )
  })

  test('of one constant output is not zero: the output and its absence can be told apart', () => {
    expect(capacityOf(1n, 0, 'cel')).toEqual({
      outputs: '1',
      outcomes: '5',
      bits: 3,
      charge_millibits: 2322,
      agentvault_bits: 0,
    })
  })
})
