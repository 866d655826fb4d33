import type { A2aEvent, IngressPorts } from '@parley/guardian'

const WINDOW_MS = 60_000
const MOST = 64
// The steps before a MAC is checked, and that check: whoever fails there may be anybody.
const OF_STRANGERS = /^[12356]:/

type Window = { readonly from: number; written: number; unwritten: number }

/** A log whose rejections are bounded. */
export type BoundedRejections = IngressPorts['audit'] & {
  /** Writes what was only counted. */
  readonly flush: () => Promise<void>
}

/**
 * A log that anybody's rejections can't fill: of strangers and of peers the first 64 in a minute are written each, the
 * others counted, and their number is written once. So strangers hide no peer's rejection.
 * @param nowMs of a clock that no one sets
 */
export const boundedRejections = (
  audit: { readonly append: (event: A2aEvent) => Promise<void> },
  nowMs: () => number,
): BoundedRejections => {
  const windows = new Map<boolean, Window>()
  const settle = async (isStranger: boolean): Promise<void> => {
    const window = windows.get(isStranger)
    if (window === undefined) return
    windows.delete(isStranger)
    if (window.unwritten === 0) return
    await audit.append({
      event: 'A2A.requests_rejected',
      fields: { count: window.unwritten, of_strangers: isStranger },
    })
  }
  const settleOver = async (): Promise<void> => {
    for (const [isStranger, { from }] of windows) if (nowMs() - from >= WINDOW_MS) await settle(isStranger)
  }
  return {
    append: async (event) => {
      await settleOver()
      if (event.event !== 'A2A.request_rejected') return audit.append(event)
      const isStranger = OF_STRANGERS.test(event.fields.reason)
      const window = windows.get(isStranger) ?? { from: nowMs(), written: 0, unwritten: 0 }
      windows.set(isStranger, window)
      if (window.written >= MOST) {
        window.unwritten++
        return
      }
      window.written++
      await audit.append(event)
    },
    flush: async () => {
      for (const isStranger of [true, false]) await settle(isStranger)
    },
  }
}
