import type { Collector } from '../collector.js'
import { AttestationError, type AttestationErrorCode } from '../errors.js'
import type { Timer } from './timer.js'

/** How often a collector may be asked. */
export type Pace = {
  /** From the end of one request to the start of the next, in milliseconds. */
  readonly minIntervalMs: number
  /** How long to wait before each further try of a request that found the platform busy; their number is the bound. */
  readonly backOffMs: readonly number[]
}

/** As often as the driver itself tries again where the host throttles it (Linux, SNP_REQ_RETRY_DELAY). */
export const DRIVERS_PACE: Pace = { minIntervalMs: 2000, backOffMs: [2000, 4000, 8000] }

const PASSING: readonly AttestationErrorCode[] = ['collector_busy', 'generation_changed']

const passes = (error: unknown): boolean => error instanceof AttestationError && PASSING.includes(error.code)

/**
 * A collector that is asked one request at a time and no faster than its pace. A driver whom the host throttles for
 * a minute wipes its key, and there are no more reports until the guest is started again.
 */
export const paceCollector = (
  collector: Collector,
  { minIntervalMs, backOffMs }: Pace,
  timer: Timer,
): Collector => {
  let free = -Infinity
  let last: Promise<unknown> = Promise.resolve()

  const tryOnce = async <T>(ask: () => Promise<T>): Promise<T> => {
    await timer.wait(Math.max(0, free - timer.now()))
    return ask().finally(() => {
      free = timer.now() + minIntervalMs
    })
  }

  const tryOften = async <T>(ask: () => Promise<T>): Promise<T> => {
    for (const backOff of backOffMs) {
      try {
        return await tryOnce(ask)
      } catch (error) {
        if (!passes(error)) throw error
        await timer.wait(backOff)
      }
    }
    return tryOnce(ask)
  }

  const inTurn = <T>(ask: () => Promise<T>): Promise<T> => {
    const mine = last.then(() => tryOften(ask))
    last = mine.catch(() => undefined)
    return mine
  }

  const { deriveKey } = collector
  return {
    ...collector,
    collect: (reportData) => inTurn(() => collector.collect(reportData)),
    ...(deriveKey === undefined ? {} : { deriveKey: (request) => inTurn(() => deriveKey(request)) }),
  }
}
