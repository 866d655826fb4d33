import { describe, expect, it } from 'vitest'
import { createTicks } from '../../src/session/ticks.js'
import { fakeClock } from '../fake-clock.js'

describe('ticks', () => {
  it('come strictly after now, at multiples of their distance', async () => {
    const clock = fakeClock()
    const ticks = createTicks(clock, 100)
    const seen: number[] = []
    const note = async (): Promise<void> => {
      await ticks.next()
      seen.push(clock.nowMs())
    }
    void note()
    await clock.advance(30)
    void note()
    await clock.advance(70)
    void note()
    await clock.advance(100)
    expect(seen).toEqual([100, 100, 200])
    expect([0, 1, 100, 101].map(ticks.atOrAfter)).toEqual([0, 100, 100, 200])
  })

  it('share one timer', async () => {
    let timers = 0
    const clock = fakeClock()
    const sleepUntil = (ms: number): Promise<void> => {
      timers++
      return clock.sleepUntil(ms)
    }
    const ticks = createTicks({ ...clock, sleepUntil }, 100)
    const all = Promise.all(Array.from({ length: 50 }, () => ticks.next()))
    await clock.advance(100)
    await all
    expect(timers).toBe(1)
  })
})
