import { expect, test } from 'vitest'
import { TokenBuckets } from '../src/token-buckets.js'

const RATE = { burst: 2, perSecond: 1 }

test('an address has its burst and then what time refills, never more than the burst', () => {
  let nowMs = 0
  const buckets = new TokenBuckets(RATE, () => nowMs)
  const take = () => buckets.take('10.0.0.1')
  expect([take(), take(), take()]).toEqual([true, true, false])
  nowMs = 1000
  expect([take(), take()]).toEqual([true, false])
  nowMs = 100_000
  expect([take(), take(), take()]).toEqual([true, true, false])
})

test('one address does not spend what another has', () => {
  const buckets = new TokenBuckets(RATE, () => 0)
  for (let i = 0; i < 3; i++) buckets.take('10.0.0.1')
  expect(buckets.take('10.0.0.2')).toBe(true)
})

test('a clock that goes back refills nothing', () => {
  let nowMs = 10_000
  const buckets = new TokenBuckets(RATE, () => nowMs)
  buckets.take('10.0.0.1')
  buckets.take('10.0.0.1')
  nowMs = 0
  expect(buckets.take('10.0.0.1')).toBe(false)
})

test('a memory full of drained addresses refuses new ones and forgets none', () => {
  let nowMs = 0
  const buckets = new TokenBuckets({ burst: 1, perSecond: 1 }, () => nowMs)
  for (let i = 0; i < 16_384; i++) buckets.take(`10.${i >> 8}.${i & 255}.1`)
  expect(buckets.take('192.0.2.1')).toBe(false)
  expect(buckets.take('10.0.0.1')).toBe(false)
  nowMs = 1000
  expect(buckets.take('192.0.2.1')).toBe(true)
})
