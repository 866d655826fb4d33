import type { Clock } from '../clock.js'

/**
 * Wakes for deadlines with one timer at a time.
 * @param due deals with everything that is due, and says when the next deadline is, if there is one
 * @returns asks for a wake-up at a time of {@link Clock.nowMs}
 */
export function createDeadlines(clock: Clock, due: () => number | undefined): (ms: number) => void {
  let armed = Infinity
  const arm = (ms: number): void => {
    // A later deadline is found when the earlier one is due.
    if (ms >= armed) return
    armed = ms
    void clock.sleepUntil(ms).then(() => {
      // An earlier timer has been set since, and has looked after this one too.
      if (armed !== ms) return
      armed = Infinity
      const next = due()
      if (next !== undefined) arm(next)
    })
  }
  return arm
}
