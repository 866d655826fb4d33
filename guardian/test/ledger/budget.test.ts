import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Budget,
  type BudgetStep,
  debitCharge,
  openBudget,
  releaseCharge,
  reserveCharge,
  tightenLimit,
} from '../../src/index.js'

const after = (step: BudgetStep): Budget => {
  if (!step.ok) throw new Error(step.code)
  return step.budget
}
const committed = (budget: Budget) =>
  [...budget.reserved.values()].reduce((sum, charge) => sum + charge, budget.spent_millibits)

describe('a budget', () => {
  test('reserves at the offer, debits at the commit, releases what was not evaluated', () => {
    const reserved = after(reserveCharge(after(reserveCharge(openBudget(10_000), 'a', 4000)), 'b', 3000))
    const debited = after(debitCharge(reserved, 'a'))
    const released = after(releaseCharge(debited, 'b'))
    expect(released).toEqual({ limit_millibits: 10_000, spent_millibits: 4000, reserved: new Map() })
  })

  test('may be spent to the last thousandth', () => {
    expect(reserveCharge(openBudget(5286), 'a', 5286).ok).toBe(true)
    expect(reserveCharge(openBudget(5285), 'a', 5286)).toEqual({ ok: false, code: 'budget_exhausted' })
  })

  test('counts what others have reserved as gone', () => {
    const one = after(reserveCharge(openBudget(10_000), 'a', 6000))
    expect(reserveCharge(one, 'b', 6000)).toEqual({ ok: false, code: 'budget_exhausted' })
  })

  test.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])('refuses a charge of %d', (charge) => {
    expect(reserveCharge(openBudget(10_000), 'a', charge)).toEqual({ ok: false, code: 'amount_malformed' })
  })

  test('refuses a session twice', () => {
    const one = after(reserveCharge(openBudget(10_000), 'a', 1))
    expect(reserveCharge(one, 'a', 1)).toEqual({ ok: false, code: 'reservation_exists' })
  })

  test('refuses to debit or release what is not reserved, so that neither happens twice', () => {
    const one = after(debitCharge(after(reserveCharge(openBudget(10_000), 'a', 1)), 'a'))
    expect(debitCharge(one, 'a')).toEqual({ ok: false, code: 'reservation_unknown' })
    expect(releaseCharge(one, 'a')).toEqual({ ok: false, code: 'reservation_unknown' })
    expect(debitCharge(openBudget(1), 'constructor')).toEqual({ ok: false, code: 'reservation_unknown' })
  })

  test('has a limit that only falls', () => {
    const budget = openBudget(10_000)
    expect(tightenLimit(budget, 10_001)).toEqual({ ok: false, code: 'limit_raised' })
    expect(after(tightenLimit(budget, 10_000))).toEqual(budget)
    expect(after(tightenLimit(budget, 0)).limit_millibits).toBe(0)
  })

  test.each([-1, 0.5, Number.NaN])('refuses a limit of %d', (limit) => {
    expect(tightenLimit(openBudget(1), limit)).toEqual({ ok: false, code: 'amount_malformed' })
  })

  test('that falls below what is reserved keeps the reservation and grants no other', () => {
    const low = after(tightenLimit(after(reserveCharge(openBudget(10_000), 'a', 6000)), 1000))
    expect(reserveCharge(low, 'b', 1)).toEqual({ ok: false, code: 'budget_exhausted' })
    expect(after(debitCharge(low, 'a')).spent_millibits).toBe(6000)
  })
})

test('no interleaving of steps overspends', () => {
  const session = fc.constantFrom('a', 'b', 'c', 'd')
  const step = fc.oneof(
    fc.tuple(session, fc.nat(6000)).map(
      ([id, charge]) =>
        (budget: Budget) =>
          reserveCharge(budget, id, charge),
    ),
    session.map((id) => (budget: Budget) => debitCharge(budget, id)),
    session.map((id) => (budget: Budget) => releaseCharge(budget, id)),
    fc.nat(20_000).map((limit) => (budget: Budget) => tightenLimit(budget, limit)),
  )
  fc.assert(
    fc.property(fc.nat(20_000), fc.array(step, { maxLength: 40 }), (limit, steps) => {
      let budget = openBudget(limit)
      for (const take of steps) {
        const before = budget
        const result = take(budget)
        if (result.ok) budget = result.budget
        const grew = committed(budget) > committed(before)
        // Only a reservation adds to what is committed, and only up to the limit of its moment.
        if (grew) expect(committed(budget)).toBeLessThanOrEqual(budget.limit_millibits)
        expect(budget.spent_millibits).toBeGreaterThanOrEqual(before.spent_millibits)
        expect(budget.spent_millibits).toBeLessThanOrEqual(limit)
        expect(budget.limit_millibits).toBeLessThanOrEqual(before.limit_millibits)
      }
    }),
    { numRuns: 2000 },
  )
})
