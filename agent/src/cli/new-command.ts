import { parseContract, parseDid } from '@parley/protocol'
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
    readonly responder?: string
    readonly open?: true
    readonly out?: string
  }

/** `parley session new`: appraises the relay, creates a session there, and gives the invitation to hand over. */
export const runNew = async (options: NewOptions, io: Io): Promise<number> => {
  const responder = responderOf(options)
  const budget = budgetOf(options)
  const contract = parseContract(await readJsonFile(options.contract))
  const trust = await readTrust(options)
  const participant = await participantOf(options, io)
  const relay = await participant.attest(parseRelayUrl(options.relay), trust)
  const invite = async (): Promise<Invitation> => {
    const { invitation } = await participant.create({ relay, trust, budget }, { contract, responder })
    io.err(`session ${invitation.session_id}\n`)
    return invitation
  }
  if (options.out === undefined) printJson(io, await invite())
  else await writeNewFile(options.out, async () => asciiJson(await invite()))
  return 0
}

const responderOf = ({ responder, open }: NewOptions): string | null => {
  if ((responder === undefined) === (open === undefined))
    throw new AgentError('argument_invalid', 'name the responder with --responder, or say --open')
  if (responder !== undefined) parseDid(responder)
  return responder ?? null
}
