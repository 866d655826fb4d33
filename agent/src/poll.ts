import type { Clock } from './clock.js'

/** The longest that a relay holds a poll (SPEC §10). */
const LONGEST_WAIT_SECONDS = 30
/** Between two polls, even where a relay answers at once. */
const PAUSE_MS = 250

/**
 * Asks until there is something, or the time is up. Each poll is a request of its own, and a GET.
 * @param poll gets the seconds that the relay may hold it
 * @returns undefined where the time is up; there is always one poll
 */
export const pollUntil = async <T>(
  clock: Clock,
  waitMs: number,
  poll: (waitSeconds: number) => Promise<T | undefined>,
): Promise<T | undefined> => {
  const deadline = clock.nowMs() + waitMs
  for (;;) {
    const left = Math.max(0, deadline - clock.nowMs())
    const found = await poll(Math.min(LONGEST_WAIT_SECONDS, Math.floor(left / 1000)))
    if (found !== undefined || clock.nowMs() >= deadline) return found
    await clock.sleep(Math.min(PAUSE_MS, Math.max(0, deadline - clock.nowMs())))
  }
}
