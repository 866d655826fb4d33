import type { Clock } from '../src/clock.js'

/** A clock that moves only when a test moves it. */
export type FakeClock = Clock & {
  /** Moves both clocks forward and wakes whoever is due, in order. */
  readonly advance: (ms: number) => Promise<void>
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

export function fakeClock(startSeconds = 1_800_000_000): FakeClock {
  let elapsed = 0
  let sleepers: { readonly due: number; readonly wake: () => void }[] = []
  return {
    nowSeconds: () => startSeconds + Math.floor(elapsed / 1000),
    nowMs: () => elapsed,
    sleepUntil: (due) =>
      due <= elapsed
        ? Promise.resolve()
        : new Promise((wake) => {
            sleepers.push({ due, wake })
          }),
    advance: async (ms) => {
      const target = elapsed + ms
      await settle()
      for (;;) {
        const next = sleepers.filter((each) => each.due <= target).sort((a, b) => a.due - b.due)[0]
        if (next === undefined) break
        elapsed = Math.max(elapsed, next.due)
        sleepers = sleepers.filter((each) => each !== next)
        next.wake()
        await settle()
      }
      elapsed = target
      await settle()
    },
  }
}
