import type { Binding } from '@parley/protocol'
import type { Clock } from '../clock.js'
import type { Log } from '../log.js'
import { RelayError } from '../relay-error.js'
import { type Binder, bindLeaves, MAX_LEAVES } from './bind-leaves.js'

/** Hangs leaves on reports. */
export type Reporter = {
  /**
   * Binds one leaf hash (32 octets). Whoever asks within the window shares one report.
   * @throws RelayError `report_failed`, `report_data_mismatch`, `collateral_missing`
   */
  readonly bind: (leaf: Uint8Array) => Promise<Binding>
}

type Asker = {
  readonly leaf: Uint8Array
  readonly resolve: (binding: Binding) => void
  readonly reject: (error: RelayError) => void
}

/**
 * Makes one report at a time, and none sooner than a window after the last: reports are slow, and the platform
 * throttles a guest that asks too often.
 * @param windowMs how long the first asker waits for others, in milliseconds
 */
export function createReporter(binder: Binder, windowMs: number, clock: Clock, log: Log): Reporter {
  let waiting: Asker[] = []
  let running = false
  const run = async (): Promise<void> => {
    running = true
    while (waiting.length > 0) {
      await clock.sleepUntil(clock.nowMs() + windowMs)
      const batch = waiting.slice(0, MAX_LEAVES)
      waiting = waiting.slice(MAX_LEAVES)
      await answerBatch(binder, batch, log)
    }
    running = false
  }
  return {
    bind: (leaf) =>
      new Promise((resolve, reject) => {
        waiting.push({ leaf, resolve, reject })
        if (!running) void run()
      }),
  }
}

async function answerBatch(binder: Binder, batch: readonly Asker[], log: Log): Promise<void> {
  try {
    const bindings = await bindLeaves(
      binder,
      batch.map(({ leaf }) => leaf),
    )
    bindings.forEach((binding, index) => batch[index]?.resolve(binding))
  } catch (error) {
    const failure =
      error instanceof RelayError ? error : new RelayError('report_failed', 'a leaf cannot be bound')
    log({ event: 'report_failed', code: failure.code })
    for (const { reject } of batch) reject(failure)
  }
}
