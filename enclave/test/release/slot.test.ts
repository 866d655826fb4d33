import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { releaseTime } from '../../src/release/slot.js'

describe('the time of a release', () => {
  it.each([
    [0, 0, 1000],
    [0, 999, 1000],
    [0, 1000, 1000],
    [0, 1001, 2000],
    [730, 1730, 1730],
    [730, 1731, 2730],
    [730, 9000, 9730],
  ])('of inputs at %d that were committed at %d is %d', (acceptedMs, committedMs, expected) => {
    expect(releaseTime({ acceptedMs, committedMs, slotMs: 1000 })).toBe(expected)
  })

  it('is a whole number of slots after the second input, and never before the commit', () => {
    fc.assert(
      fc.property(
        fc.nat(1_000_000),
        fc.nat(100_000),
        fc.integer({ min: 1, max: 5000 }),
        (acceptedMs, after, slotMs) => {
          const at = releaseTime({ acceptedMs, committedMs: acceptedMs + after, slotMs })
          expect((at - acceptedMs) % slotMs).toBe(0)
          expect(at - acceptedMs - after).toBeGreaterThanOrEqual(0)
          expect(at - acceptedMs).toBeLessThan(Math.max(after, 1) + slotMs)
        },
      ),
    )
  })
})
