import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  MOST_WINDOW_SECONDS,
  type RecentCharge,
  rememberCharge,
  type SpendingWindow,
  spentWithin,
  tightenWindow,
  tighterWindow,
} from '../../src/index.js'

const DAY: SpendingWindow = { seconds: 86_400, limit_millibits: 10_000 }

describe('a window', () => {
  test.each<[string, SpendingWindow | null, SpendingWindow | null]>([
    ['is set where there was none', null, DAY],
    ['may stay as it is', DAY, DAY],
    ['may let less through', DAY, { ...DAY, limit_millibits: 9999 }],
    ['may be longer', DAY, { ...DAY, seconds: 86_401 }],
  ])('%s', (_, standing, claimed) => {
    expect(tightenWindow(standing, claimed)).toEqual({ ok: true, window: claimed })
  })

  test('stays where a claim has none', () => {
    expect(tightenWindow(DAY, null)).toEqual({ ok: true, window: DAY })
  })

  test.each<[string, SpendingWindow]>([
    ['more', { ...DAY, limit_millibits: 10_001 }],
    ['the same in less time', { ...DAY, seconds: 86_399 }],
    ['less, in less time', { seconds: 86_399, limit_millibits: 1 }],
    ['more, in more time', { seconds: 86_401, limit_millibits: 10_001 }],
  ])('that lets through %s is window_loosened', (_, claimed) => {
    expect(tightenWindow(DAY, claimed)).toEqual({ ok: false, code: 'window_loosened' })
  })

  test('of two claims is what both allow', () => {
    const other = { seconds: 60, limit_millibits: 100 }
    expect(tighterWindow(DAY, other)).toEqual({ seconds: 86_400, limit_millibits: 100 })
    expect(tighterWindow(null, other)).toEqual(other)
    expect(tighterWindow(other, null)).toEqual(other)
    expect(tighterWindow(null, null)).toBeNull()
  })
})

describe('what was charged of late', () => {
  const recent: readonly RecentCharge[] = [
    { at: 100, charge_millibits: 1 },
    { at: 150, charge_millibits: 10 },
    { at: 200, charge_millibits: 100 },
  ]

  test.each([
    [1, 100],
    [50, 100],
    [51, 110],
    [101, 111],
    [MOST_WINDOW_SECONDS, 111],
  ])('counts for %i seconds: %i', (seconds, spent) => {
    expect(spentWithin(recent, seconds, 200)).toBe(spent)
  })

  test('is forgotten once no window can ask for it', () => {
    expect(rememberCharge(recent, { at: 201, charge_millibits: 5 }, 51)).toEqual([
      ...recent.slice(2),
      { at: 201, charge_millibits: 5 },
    ])
  })

  test('is never counted for less than it was, and of bounded length, whenever it was charged', () => {
    const steps = fc.array(fc.tuple(fc.nat(10_000), fc.nat(9999)), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 100_000 }), (charges, seconds) => {
        let now = 0
        const all: RecentCharge[] = []
        let kept: readonly RecentCharge[] = []
        for (const [pause, charge_millibits] of charges) {
          now += pause
          all.push({ at: now, charge_millibits })
          kept = rememberCharge(kept, { at: now, charge_millibits }, seconds)
          const exact = spentWithin(all, seconds, now)
          const sum = all.reduce((total, each) => total + each.charge_millibits, 0)
          expect(kept.length).toBeLessThanOrEqual(24)
          expect(spentWithin(kept, seconds, now)).toBeGreaterThanOrEqual(exact)
          expect(spentWithin(kept, seconds, now)).toBeLessThanOrEqual(sum)
        }
      }),
    )
  })
})
