import type { Clock } from '../clock.js'

const MINUTE_MS = 60_000

/**
 * A bucket that fills evenly: true while there is something in it.
 * @param perMinute its size, and what flows in a minute
 */
export function createRateLimit(perMinute: number, clock: Pick<Clock, 'nowMs'>): () => boolean {
  let level = perMinute
  let filledAt = clock.nowMs()
  return () => {
    const now = clock.nowMs()
    level = Math.min(perMinute, level + ((now - filledAt) * perMinute) / MINUTE_MS)
    filledAt = now
    if (level < 1) return false
    level -= 1
    return true
  }
}
