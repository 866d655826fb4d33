import { createWriteStream } from 'node:fs'
import type { Route } from './route.js'

/**
 * All that the proxy says of a request: what it saw. There is no member for a body, a header or an address,
 * so none can be written.
 */
export type Sighting = {
  /** When the request came, rounded down to the configured tick: milliseconds since the Unix epoch. */
  readonly tick: number
  /** `egress`: a relay's tunnel, its octets to and from the host in place of the bodies. */
  readonly route: Route | 'egress' | 'other'
  /** The key id that chose the replica; null where none was read. */
  readonly key_id: number | null
  /** Size class of the body in octets; 0 for no body, null for more than the largest class. */
  readonly request_class: number | null
  readonly response_class: number | null
  /** What the client was answered; null where it left, or was cut off, before the whole answer. */
  readonly status: number | null
}

/** Takes one sighting a request. */
export type Log = (sighting: Sighting) => void

/** A log that has been opened. Closing it waits until all is written. */
export type OpenLog = { readonly log: Log; readonly close: () => Promise<void> }

/** How long a line may wait for the next ones, in milliseconds. */
const FLUSH_MS = 50

/** One JSON line a request, appended to a file, or to standard output where the path is null. */
export const openLog = (path: string | null): OpenLog => {
  if (path === null)
    return { log: (sighting) => void process.stdout.write(line(sighting)), close: () => Promise.resolve() }
  const file = createWriteStream(path, { flags: 'a', mode: 0o600 })
  let pending = ''
  let due: NodeJS.Timeout | undefined
  const flush = (): void => {
    clearTimeout(due)
    file.write(pending)
    pending = ''
  }
  return {
    // A write costs more than forwarding a small request: the lines of a moment share one.
    log: (sighting) => {
      if (pending === '') due = setTimeout(flush, FLUSH_MS)
      pending += line(sighting)
    },
    close: () =>
      new Promise((resolve) => {
        flush()
        file.end(resolve)
      }),
  }
}

const line = (sighting: Sighting): string => `${JSON.stringify(sighting)}\n`
