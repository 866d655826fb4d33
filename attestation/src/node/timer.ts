import { setTimeout } from 'node:timers/promises'

/** A monotonic clock with an arbitrary origin, and a way to wait; milliseconds. */
export type Timer = { readonly now: () => number; readonly wait: (ms: number) => Promise<void> }

/** That of this process. */
export const processTimer: Timer = {
  now: () => performance.now(),
  wait: async (ms) => {
    if (ms > 0) await setTimeout(ms)
  },
}
