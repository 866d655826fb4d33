import { type Contract, parseContract, parseDid } from '@parley/protocol'
import { asciiJson } from '@parley/verifier/node'
import { AgentError } from '../agent-error.js'
import type { Invitation } from '../invitation.js'
import { parseRelayUrl } from '../relay-url.js'
import { type BudgetOptions, budgetOf } from './budget-options.js'
import { type HomeOption, participantOf } from './home.js'
import { type Io, printJson } from './io.js'
import { readJsonFile, readTrust, type TrustOptions } from './read-input.js'
import { writeNewFile } from './write-new-file.js'

/** The options of `parley session new`. */
export type NewOptions = HomeOption &
  TrustOptions &
  BudgetOptions & {
    readonly relay: string
    readonly contract: string
    /** A DID, or null for an open seat, in the order of the contract. */
    readonly invited: readonly (string | null)[]
    readonly out?: string
  }

/** `parley session new`: appraises the relay, creates a session there, and gives the invitation to hand over. */
export const runNew = async (options: NewOptions, io: Io): Promise<number> => {
  const budget = budgetOf(options)
  const contract = parseContract(await readJsonFile(options.contract))
  const invited = invitedOf(options, contract)
  const trust = await readTrust(options)
  const participant = await participantOf(options, io)
  const relay = await participant.attest(parseRelayUrl(options.relay), trust)
  const invite = async (): Promise<Invitation> => {
    const { invitation } = await participant.create({ relay, trust, budget }, { contract, invited })
    io.err(`session ${invitation.session_id}\n`)
    return invitation
  }
  if (options.out === undefined) printJson(io, await invite())
  else await writeNewFile(options.out, async () => asciiJson(await invite()))
  return 0
}

const invitedOf = ({ invited }: NewOptions, { participants }: Contract): readonly (string | null)[] => {
  const [, ...others] = participants
  if (invited.length !== others.length)
    throw new AgentError(
      'argument_invalid',
      `say --invite DID or --open for each of the others, in the contract's order: ${others.join(', ')}`,
    )
  for (const did of invited) if (did !== null) parseDid(did)
  return invited
}
