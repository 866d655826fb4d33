import { eraseSubject } from '../audit/erase-subject.js'
import { type HomeOption, openHome } from './home.js'
import { type Io, printJson } from './io.js'
import { runRelayErasure } from './relay-erasure-command.js'
import type { RootOptions } from './root-options.js'

/** The options of `parley erasure`. */
export type ErasureOptions = HomeOption &
  RootOptions & {
    /** Ask this relay, instead of erasing in the home. */
    readonly relay?: string
    readonly policy?: string
    readonly json?: true
  }

/** `parley erasure`: ends with 1 where an open session stays. */
export const runErasure = async (subject: string, options: ErasureOptions, io: Io): Promise<number> => {
  if (options.relay !== undefined) return runRelayErasure(subject, { ...options, relay: options.relay }, io)
  const { home, identity } = await openHome(options, io)
  const erasure = await eraseSubject({ home, identity, clock: io.clock }, subject)
  const { outcome, records, files, open } = erasure
  if (options.json === true) printJson(io, erasure)
  else
    io.out(
      outcome === 'APPLIED'
        ? `APPLIED ${records + files}\n  entries  ${records}\n  files    ${files}\n`
        : 'SKIPPED\n',
    )
  if (open > 0) io.err(`parley: ${open} open sessions with the subject stay until they end\n`)
  return open > 0 ? 1 : 0
}
