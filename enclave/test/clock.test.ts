import { afterEach, expect, test, vi } from 'vitest'
import { systemClock } from '../src/clock.js'

afterEach(() => {
  vi.restoreAllMocks()
})

test('seconds never go back, whatever the host does to its clock', () => {
  const now = vi.spyOn(Date, 'now')
  const clock = systemClock()
  now.mockReturnValue(5_000_999)
  expect(clock.nowSeconds()).toBe(5000)
  now.mockReturnValue(1_000_000)
  expect(clock.nowSeconds()).toBe(5000)
  now.mockReturnValue(5_001_000)
  expect(clock.nowSeconds()).toBe(5001)
})

test('a sleep is over when the monotonic clock says so, and not before', async () => {
  const clock = systemClock()
  const due = clock.nowMs() + 20
  // The sleep does not keep the process alive; the test has to.
  const alive = setInterval(() => undefined, 1000)
  await clock.sleepUntil(due)
  clearInterval(alive)
  expect(clock.nowMs()).toBeGreaterThanOrEqual(due)
})

test('a sleep until the past is over at once', async () => {
  await expect(systemClock().sleepUntil(-1)).resolves.toBeUndefined()
})
