import { describe, expect, it } from 'vitest'
import { createDeadlines } from '../../src/session/deadlines.js'
import { fakeClock } from '../fake-clock.js'

describe('deadlines', () => {
  it('wake once for the earliest, and then for the next one that is told', async () => {
    const clock = fakeClock()
    const woken: number[] = []
    const rest = [500, 900]
    const wakeAt = createDeadlines(clock, () => {
      woken.push(clock.nowMs())
      return rest.shift()
    })
    wakeAt(500)
    wakeAt(300)
    wakeAt(400)
    await clock.advance(2000)
    expect(woken[0]).toBe(300)
    expect(woken.at(-1)).toBe(900)
    expect(woken).toContain(500)
    expect(woken.length).toBeLessThan(6)
  })
})
