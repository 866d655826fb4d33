import { hash, type JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkInput } from '../../src/index.js'
import { admittedOf, play as playShipped } from './shipped.js'

const { contract, policy, inputs, capacity } = admittedOf('negotiation-band')
const signal = playShipped('negotiation-band')

const MOST = 1_000_000_000_000
const play = (ceiling: number, floor: number, currencies: readonly [string, string] = ['EUR', 'EUR']) =>
  signal({ ceiling, currency: currencies[0] }, { floor, currency: currencies[1] }) as {
    readonly overlap: string
    readonly band: string
  }

test('the shipped contract names the shipped policy, its program and its schema by their hashes', () => {
  expect(contract.enforcement_policy_hash).toBe(hash(policy))
  expect(contract.program_hash).toBe(hash(contract.program ?? null))
  expect(contract.output_schema_hash).toBe(hash(contract.output_schema))
})

test('it tells 35 outputs and 4 abort classes apart: six bits, at the edge of its budget', () => {
  expect(capacity).toEqual({
    outputs: '35',
    outcomes: '39',
    bits: 6,
    charge_millibits: 5286,
    agentvault_bits: 6,
  })
  expect(contract.entropy_budget_bits).toBe(6)
})

describe('the signal', () => {
  // Amounts are in hundredths.
  test.each([
    ['a floor just above the ceiling', 99_99, 100_00, 'NONE', 'UNDISCLOSED'],
    ['a floor far above the ceiling', 0, MOST, 'NONE', 'UNDISCLOSED'],
    ['both at zero', 0, 0, 'NARROW', 'BELOW_THOUSAND'],
    ['ceiling and floor equal', 5_000_00, 5_000_00, 'NARROW', 'THOUSANDS'],
    ['both at the largest amount', MOST, MOST, 'NARROW', 'ABOVE_MILLIONS'],
    ['a twentieth of the midpoint', 1_025_00, 975_00, 'NARROW', 'THOUSANDS'],
    ['a cent more', 1_025_01, 975_00, 'MODERATE', 'THOUSANDS'],
    ['a fifth of the midpoint', 1_100_00, 900_00, 'MODERATE', 'THOUSANDS'],
    ['a cent more than that', 1_100_01, 900_00, 'WIDE', 'THOUSANDS'],
    ['a free gift', 1, 0, 'WIDE', 'BELOW_THOUSAND'],
    ['the widest overlap', MOST, 0, 'WIDE', 'ABOVE_MILLIONS'],
    ['a midpoint just below a thousand', 1_000_00, 999_99, 'NARROW', 'BELOW_THOUSAND'],
    ['a midpoint of a thousand', 1_000_00, 1_000_00, 'NARROW', 'THOUSANDS'],
    ['a midpoint just below ten thousand', 10_000_00, 9_999_99, 'NARROW', 'THOUSANDS'],
    ['a midpoint of ten thousand', 10_000_00, 10_000_00, 'NARROW', 'TENS_OF_THOUSANDS'],
    ['a midpoint just below a hundred thousand', 100_000_00, 99_999_99, 'NARROW', 'TENS_OF_THOUSANDS'],
    ['a midpoint of a hundred thousand', 100_000_00, 100_000_00, 'NARROW', 'HUNDREDS_OF_THOUSANDS'],
    ['a midpoint just below a million', 1_000_000_00, 999_999_99, 'NARROW', 'HUNDREDS_OF_THOUSANDS'],
    ['a midpoint of a million', 1_000_000_00, 1_000_000_00, 'NARROW', 'MILLIONS'],
    ['a midpoint just below ten million', 10_000_000_00, 9_999_999_99, 'NARROW', 'MILLIONS'],
    ['a midpoint of ten million', 10_000_000_00, 10_000_000_00, 'NARROW', 'ABOVE_MILLIONS'],
  ])('of %s', (_, ceiling, floor, overlap, band) => {
    expect(play(ceiling, floor)).toEqual({ overlap, band })
  })

  test('compares nothing across currencies', () => {
    expect(play(MOST, 0, ['EUR', 'USD'])).toEqual({ overlap: 'CURRENCY_MISMATCH', band: 'UNDISCLOSED' })
  })

  test('comes for every admitted input, within the cost limit and past the guardian', () => {
    const amount = fc.oneof(fc.nat(MOST), fc.nat(300_000_00), fc.constantFrom(0, MOST))
    const currency = fc.constantFrom('CHF', 'EUR', 'GBP', 'USD')
    fc.assert(
      fc.property(amount, amount, currency, currency, (ceiling, floor, ours, theirs) => {
        const { overlap } = play(ceiling, floor, [ours, theirs])
        expect(overlap === 'CURRENCY_MISMATCH').toBe(ours !== theirs)
        if (ours === theirs) expect(overlap === 'NONE').toBe(ceiling < floor)
      }),
      { numRuns: 1000 },
    )
  })
})

test.each<[string, JsonValue]>([
  ['a negative ceiling', { ceiling: -1, currency: 'EUR' }],
  ['a ceiling beyond the largest', { ceiling: MOST + 1, currency: 'EUR' }],
  ['a fractional ceiling', { ceiling: 0.5, currency: 'EUR' }],
  ['a currency without hundredths', { ceiling: 1, currency: 'JPY' }],
  ['no currency', { ceiling: 1 }],
  ['the seller’s form', { floor: 1, currency: 'EUR' }],
  ['a remark', { ceiling: 1, currency: 'EUR', remark: 'x' }],
])('a buyer’s input with %s is refused', (_, input) => {
  if (inputs?.initiator === undefined) throw new Error('the contract states no inputs')
  expect(checkInput(inputs.initiator, input).ok).toBe(false)
})
