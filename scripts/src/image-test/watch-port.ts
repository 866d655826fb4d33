import { setTimeout as sleep } from 'node:timers/promises'

/** How often anything answered. */
export type PortWatch = {
  readonly stop: () => Promise<{ readonly asked: number; readonly answered: number }>
}

/** Asks a port over and over whether there is a relay, until it is stopped. */
export function watchPort(port: number): PortWatch {
  let [asked, answered, stopped] = [0, 0, false]
  const watching = (async () => {
    while (!stopped) {
      asked += 1
      const answer = await fetch(`http://127.0.0.1:${port}/evidence`, {
        signal: AbortSignal.timeout(2000),
      }).catch(() => null)
      if (answer !== null) answered += 1
      await sleep(500)
    }
  })()
  return {
    stop: async () => {
      stopped = true
      await watching
      return { asked, answered }
    },
  }
}
