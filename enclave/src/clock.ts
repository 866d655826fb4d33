import { setTimeout as sleep } from 'node:timers/promises'

/** The one door to time. The host owns the clocks, so nothing that it says here carries security by itself. */
export type Clock = {
  /** Unix time in whole seconds, as the host tells it; never goes back while the relay runs. */
  readonly nowSeconds: () => number
  /** Milliseconds of a monotonic clock with an arbitrary origin; only differences mean anything. */
  readonly nowMs: () => number
  /** Resolves when {@link Clock.nowMs} has reached `ms`. A pending sleep does not keep the process alive. */
  readonly sleepUntil: (ms: number) => Promise<void>
}

/** The clocks of this machine. */
export function systemClock(): Clock {
  let latest = 0
  const nowMs = (): number => Math.floor(performance.now())
  return {
    nowSeconds: () => (latest = Math.max(latest, Math.floor(Date.now() / 1000))),
    nowMs,
    sleepUntil: async (ms) => {
      // A timer may fire a little early; a tick that is answered early would be no tick.
      for (let left = ms - nowMs(); left > 0; left = ms - nowMs())
        await sleep(left, undefined, { ref: false })
    },
  }
}
