import { type Clock, systemClock } from '../clock.js'

/** A receiver's two clocks: the one that people set, and one that nobody does. */
export type ReceiverClock = Clock & {
  /** Milliseconds since some moment; never goes back. */
  readonly monotonicMs: () => number
}

/** The clocks of this machine. */
export const systemReceiverClock: ReceiverClock = { ...systemClock, monotonicMs: () => performance.now() }
