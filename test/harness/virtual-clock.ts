import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@parley/enclave'

/** A relay's clock that runs with the machine's, and that a test can put forward, or stop and move by hand. */
export type VirtualClock = Clock & {
  /** Puts the clock forward while it runs. Under 300 seconds in all, or requests are out of their date window. */
  readonly leap: (ms: number) => void
  /** Stops at the next whole multiple of so many milliseconds. */
  readonly stopAt: (multiple: number) => void
  /** Moves on, and lets whoever is due do all that it has to do. */
  readonly advance: (ms: number) => Promise<void>
  /** Resolves when somebody waits for a moment: what goes on elsewhere, before it can wait, takes real time. */
  readonly awaited: (ms: number) => Promise<void>
  /** Resolves when the relay has done all that it can do without time passing. */
  readonly settled: () => Promise<void>
}

const QUIET_MS = 5
const QUIET_TIMES = 3
const MOST_ROUNDS = 4000

export const virtualClock = (): VirtualClock => {
  const startSeconds = Math.floor(Date.now() / 1000)
  let startMs = performance.now()
  let stopped: number | null = null
  let asked = 0
  let sleepers: { readonly due: number; readonly wake: () => void }[] = []
  const nowMs = (): number => {
    asked += 1
    return stopped ?? Math.floor(performance.now() - startMs)
  }
  const wakeDue = (): void => {
    const now = nowMs()
    const due = sleepers.filter((each) => each.due <= now)
    sleepers = sleepers.filter((each) => each.due > now)
    for (const { wake } of due) wake()
  }
  const running = setInterval(wakeDue, 5)
  running.unref()
  // Relay and test share one thread: whatever goes on asks for the time before long.
  const settled = async (): Promise<void> => {
    for (let quiet = 0, known = asked; quiet < QUIET_TIMES; ) {
      await sleep(QUIET_MS)
      quiet = asked === known ? quiet + 1 : 0
      known = asked
    }
  }
  return {
    nowMs,
    nowSeconds: () => startSeconds + Math.floor(nowMs() / 1000),
    sleepUntil: (due) =>
      due <= nowMs()
        ? Promise.resolve()
        : new Promise((wake) => {
            sleepers.push({ due, wake })
          }),
    leap: (ms) => {
      startMs -= ms
    },
    stopAt: (multiple) => {
      clearInterval(running)
      stopped = Math.ceil(nowMs() / multiple) * multiple
      wakeDue()
    },
    advance: async (ms) => {
      await settled()
      stopped = (stopped ?? nowMs()) + ms
      wakeDue()
      await settled()
    },
    awaited: async (ms) => {
      for (let round = 0; round < MOST_ROUNDS && !sleepers.some(({ due }) => due === ms); round++)
        await sleep(QUIET_MS)
    },
    settled,
  }
}
