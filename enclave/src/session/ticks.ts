import type { Clock } from '../clock.js'

/** The moments at which the relay answers what it had to wait for. */
export type Ticks = {
  /** Resolves on the next tick, strictly after now. */
  readonly next: () => Promise<void>
  /** The tick at or after a time of {@link Clock.nowMs}. */
  readonly atOrAfter: (ms: number) => number
}

/** Ticks of a fixed distance; whoever waits for the same one shares a timer. */
export function createTicks(clock: Clock, tickMs: number): Ticks {
  const atOrAfter = (ms: number): number => Math.ceil(ms / tickMs) * tickMs
  let shared: { readonly at: number; readonly reached: Promise<void> } | undefined
  return {
    atOrAfter,
    next: () => {
      const at = atOrAfter(clock.nowMs() + 1)
      if (shared?.at !== at) shared = { at, reached: clock.sleepUntil(at) }
      return shared.reached
    },
  }
}
