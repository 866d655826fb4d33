import type { Clock } from '../clock.js'

/** What the command line is given instead of the process: so a test can be the process. */
export type Io = {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
  readonly env: Readonly<Record<string, string | undefined>>
  /** Asks the person at the terminal; null where there is none. */
  readonly confirm: ((question: string) => Promise<boolean>) | null
  readonly clock: Clock
}

/** Prints one JSON document. */
export const printJson = ({ out }: Io, value: object): void => {
  out(`${JSON.stringify(value, null, 2)}\n`)
}

/** A text without anything that a terminal would obey: what is not printable ASCII is shown as an escape. */
export const printable = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
