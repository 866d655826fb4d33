import { asciiJson } from '@parley/verifier/node'
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

/** Prints one JSON document, in ASCII. */
export const printJson = ({ out }: Io, value: object): void => {
  out(asciiJson(value))
}
