/** How a program ended. */
export type Ended = { readonly code: number; readonly out: string; readonly err: string }

/** One participant, wherever it runs. */
export type Party = {
  /** Runs `parley` with the participant's home. */
  readonly parley: (...args: readonly string[]) => Promise<Ended>
  /** Runs a line of JavaScript; arguments are in `process.argv` from index 1 on. */
  readonly node: (script: string, ...args: readonly string[]) => Promise<Ended>
  /** The path of a file in a folder of its own. */
  readonly at: (name: string) => string
}

/** A relay of the software lane behind a host-proxy, and two participants. */
export type Place = {
  readonly buyer: Party
  readonly seller: Party
  /** Where participants reach the proxy. */
  readonly proxyUrl: string
  readonly stop: () => Promise<void>
}
