import type { Services } from './services.js'

/**
 * Holds a request until something is so, or the time is up; in either case the answer is given on a tick, so that
 * its moment tells nothing finer.
 */
export async function heldUntil(
  { ticks, clock, closed }: Pick<Services, 'ticks' | 'clock' | 'closed'>,
  waitMs: number,
  isSo: () => boolean,
): Promise<void> {
  const until = clock.nowMs() + waitMs
  do await ticks.next()
  while (!isSo() && clock.nowMs() < until && !closed())
}
