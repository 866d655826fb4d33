import { expect, test } from 'vitest'
import { createRateLimit } from '../../src/gateway/rate-limit.js'

test('a bucket gives what it holds, fills with time, and never over its size', () => {
  let now = 0
  const allowed = createRateLimit(3, { nowMs: () => now })
  const drain = (): number => {
    let given = 0
    while (allowed()) given++
    return given
  }
  expect(drain()).toBe(3)
  now += 19_999
  expect(drain()).toBe(0)
  now += 1
  expect(drain()).toBe(1)
  now += 10 * 60_000
  expect(drain()).toBe(3)
})
