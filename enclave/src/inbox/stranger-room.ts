import type { Clock } from '../clock.js'

/** How many more invites of strangers an inbox takes. */
export type StrangerRoom = {
  /** Takes a place in each of these inboxes, or in none: then it is false. */
  readonly take: (keys: readonly string[]) => boolean
}

const HOUR_MS = 3_600_000
const MOST_KEYS = 65_536

/**
 * Fresh keys are free, so it is the invitee's inbox that has a bound: so many invites in an hour of all whom it has
 * never conferred with together, whether they still stand or not.
 */
export function createStrangerRoom({ nowMs }: Pick<Clock, 'nowMs'>, most: number): StrangerRoom {
  let hour = 0
  let taken = new Map<string, number>()
  return {
    take: (keys) => {
      const now = Math.floor(nowMs() / HOUR_MS)
      // Where so many are invited that their counts fill the memory, all begin anew.
      if (now !== hour || taken.size >= MOST_KEYS) taken = new Map()
      hour = now
      if (keys.some((key) => (taken.get(key) ?? 0) >= most)) return false
      for (const key of keys) taken.set(key, (taken.get(key) ?? 0) + 1)
      return true
    },
  }
}
