import { AgentError } from '../agent-error.js'
import { askErasure } from '../erasure/ask-erasure.js'
import { askerOf } from './asker-options.js'
import { type HomeOption, openHome } from './home.js'
import { type Io, printJson } from './io.js'
import type { RootOptions } from './root-options.js'

type Options = HomeOption &
  RootOptions & {
    readonly relay: string
    readonly policy?: string
    readonly json?: true
  }

/** `parley erasure DID --relay URL`: ends with 1 where a session stays. */
export const runRelayErasure = async (subject: string, options: Options, io: Io): Promise<number> => {
  const { policy } = options
  if (policy === undefined) throw new AgentError('argument_invalid', '--relay needs --policy')
  const { identity } = await openHome(options, io)
  // A relay takes nobody's word for another's.
  if (subject !== identity.did)
    throw new AgentError(
      'argument_invalid',
      'a relay erases what it holds of whoever asks: give your own DID',
    )
  const { relay } = await askerOf({ ...options, policy }, io)
  const erased = await askErasure({ identity, relay, clock: io.clock })
  const { sessions, records, open } = erased
  if (options.json === true) printJson(io, erased)
  else io.out(sessions === 0 ? 'SKIPPED\n' : `APPLIED\n  sessions  ${sessions}\n  entries   ${records}\n`)
  if (open > 0) io.err(`parley: ${open} sessions stay until they have been over for a while\n`)
  return open > 0 ? 1 : 0
}
