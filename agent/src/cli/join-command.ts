import { parseInvitation } from '../invitation.js'
import { type BudgetOptions, budgetOf } from './budget-options.js'
import { type HomeOption, participantOf } from './home.js'
import { type Io, printJson } from './io.js'
import { readJsonFile, readTrust, type TrustOptions } from './read-input.js'

/** The options of `parley session join`. */
export type JoinOptions = HomeOption & TrustOptions & BudgetOptions & { readonly json?: true }

/** `parley session join`: appraises the relay that an invitation names, and takes the responder's seat there. */
export const runJoin = async (path: string, options: JoinOptions, io: Io): Promise<number> => {
  const budget = budgetOf(options)
  const invitation = parseInvitation(await readJsonFile(path))
  const trust = await readTrust(options)
  const participant = await participantOf(options, io)
  const relay = await participant.attest(invitation.relay, trust)
  await participant.join({ relay, trust, budget }, invitation)
  const { session_id } = invitation
  if (options.json === true) printJson(io, { session_id })
  else io.out(`${session_id}\n`)
  return 0
}
