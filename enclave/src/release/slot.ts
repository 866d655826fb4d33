/** The times, in milliseconds of the monotonic clock, between which a release is placed. */
export type Slotting = {
  readonly acceptedMs: number
  readonly committedMs: number
  readonly slotMs: number
}

/**
 * When a result may be seen: a whole number of slots after the last input. A late commit waits for the next one,
 * so that no moment in between tells how long an evaluation took.
 */
export function releaseTime({ acceptedMs, committedMs, slotMs }: Slotting): number {
  const slots = Math.max(1, Math.ceil((committedMs - acceptedMs) / slotMs))
  return acceptedMs + slots * slotMs
}
