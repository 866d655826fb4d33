/** The ends that are written and may not be seen yet. */
export type HeldEnds = {
  readonly hold: (key: string, sessionId: string, seq: number) => void
  readonly drop: (key: string, sessionId: string) => void
  /** The number before the first that is held; Infinity where none is. */
  readonly before: (key: string) => number
}

/** Ends are held until their sessions are released; numbers have no gap, so whatever comes after one is held with it. */
export function createHeldEnds(isReleased: (sessionId: string) => boolean): HeldEnds {
  const held = new Map<string, Map<string, number>>()
  const drop = (key: string, sessionId: string): void => {
    const ends = held.get(key)
    ends?.delete(sessionId)
    if (ends?.size === 0) held.delete(key)
  }
  return {
    hold: (key, sessionId, seq) => {
      held.set(key, (held.get(key) ?? new Map<string, number>()).set(sessionId, seq))
    },
    drop,
    before: (key) => {
      for (const sessionId of [...(held.get(key)?.keys() ?? [])])
        if (isReleased(sessionId)) drop(key, sessionId)
      return Math.min(...[...(held.get(key)?.values() ?? [])].map((seq) => seq - 1))
    },
  }
}
