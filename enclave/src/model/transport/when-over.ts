import type { Clock } from '../../clock.js'

/** An end that comes after a while. */
export type Deadline = {
  /** Aborted at the end. */
  readonly signal: AbortSignal
  /** Milliseconds until then; none or fewer when it is over. */
  readonly leftMs: () => number
}

/** A deadline by the relay's own clock. */
export const whenOver = (clock: Pick<Clock, 'nowMs' | 'sleepUntil'>, ms: number): Deadline => {
  const over = new AbortController()
  const endsAtMs = clock.nowMs() + ms
  void clock.sleepUntil(endsAtMs).then(() => {
    over.abort()
  })
  return { signal: over.signal, leftMs: () => endsAtMs - clock.nowMs() }
}

/** Resolves when a signal is aborted. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener(
      'abort',
      () => {
        resolve()
      },
      { once: true },
    )
  })
