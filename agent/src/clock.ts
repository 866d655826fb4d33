import { setTimeout } from 'node:timers/promises'

/** The one door to time. */
export type Clock = {
  /** Unix time in milliseconds. */
  readonly nowMs: () => number
  /** Resolves after so many milliseconds. */
  readonly sleep: (ms: number) => Promise<void>
}

/** The time of this machine. */
export const systemClock: Clock = { nowMs: () => Date.now(), sleep: (ms) => setTimeout(ms) }

/** Unix time in whole seconds, as the wire spells it. */
export const nowSeconds = ({ nowMs }: Clock): number => Math.floor(nowMs() / 1000)
