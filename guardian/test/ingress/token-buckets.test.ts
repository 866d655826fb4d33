import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TokenBuckets } from '../../src/index.js'

const takes = (buckets: TokenBuckets, count: number, perMinute: number, atMs: number) =>
  Array.from({ length: count }, () => buckets.take('a', perMinute, atMs)).filter(Boolean).length

describe('A2A-23: a token bucket', () => {
  test('holds as many tokens as flow in a minute', () => {
    expect(takes(new TokenBuckets(), 100, 60, 0)).toBe(60)
  })

  test('fills evenly, and no further than it is', () => {
    const buckets = new TokenBuckets()
    takes(buckets, 60, 60, 0)
    expect(takes(buckets, 5, 60, 999)).toBe(0)
    expect(takes(buckets, 5, 60, 3000)).toBe(3)
    expect(takes(buckets, 100, 60, 10_000_000)).toBe(60)
  })

  test('gains nothing from a clock that goes back', () => {
    const buckets = new TokenBuckets()
    takes(buckets, 60, 60, 100_000)
    expect(takes(buckets, 5, 60, 0)).toBe(0)
  })

  test('gains nothing at once from a limit that is raised', () => {
    const buckets = new TokenBuckets()
    takes(buckets, 2, 2, 0)
    expect(takes(buckets, 5, 6000, 1)).toBe(0)
  })

  test('of one origin is not another one’s', () => {
    const buckets = new TokenBuckets()
    takes(buckets, 60, 60, 0)
    expect(buckets.take('b', 60, 0)).toBe(true)
  })

  test('of 0 a minute is none: every request passes', () => {
    expect(takes(new TokenBuckets(), 500, 0, 0)).toBe(500)
  })

  test('is never forgotten while it is in use: a table that is full refuses strangers', () => {
    const buckets = new TokenBuckets(2)
    takes(buckets, 60, 60, 0)
    buckets.take('b', 60, 0)
    expect(buckets.take('c', 60, 0)).toBe(false)
    expect(takes(buckets, 5, 60, 0)).toBe(0)
    // By now b is full again, and a is not.
    expect(buckets.take('c', 60, 1000)).toBe(true)
    expect(takes(buckets, 5, 60, 1000)).toBe(1)
  })

  test('lets no more through than its size and what flowed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.array(fc.nat(5000)), (perMinute, waits) => {
        const buckets = new TokenBuckets()
        let now = 0
        let passed = 0
        for (const wait of waits) if (buckets.take('a', perMinute, (now += wait))) passed++
        expect(passed).toBeLessThanOrEqual(perMinute + (now * perMinute) / 60_000 + 1e-6)
      }),
    )
  })
})
