import { expect, it } from 'vitest'
import { createStrangerRoom } from '../../src/inbox/stranger-room.js'

const HOUR_MS = 3_600_000

const room = (most: number) => {
  const clock = { ms: 0, nowMs: () => clock.ms }
  return { clock, ...createStrangerRoom(clock, most) }
}

it('each inbox has room for so many in an hour, and again in the next', () => {
  const { take, clock } = room(2)
  expect([take(['a']), take(['a']), take(['a']), take(['b'])]).toEqual([true, true, false, true])
  clock.ms = HOUR_MS - 1
  expect(take(['a'])).toBe(false)
  clock.ms = HOUR_MS
  expect(take(['a'])).toBe(true)
})

it('where one inbox is full, no other is taken room in', () => {
  const { take } = room(1)
  expect([take(['a']), take(['b', 'a']), take(['b'])]).toEqual([true, false, true])
})

it('nobody to invite needs no room', () => {
  expect(room(0).take([])).toBe(true)
})
