import { type Role, ROLES } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { parseInvitation } from '../invitation.js'
import { parseRelayUrl } from '../relay-url.js'
import { type BudgetOptions, budgetOf } from './budget-options.js'
import { type HomeOption, participantOf } from './home.js'
import { type Io, printJson } from './io.js'
import { invitationText } from './invitation-text.js'
import { readJsonFile, readTrust, type TrustOptions } from './read-input.js'

/** The options of `parley session join`. */
export type JoinOptions = HomeOption &
  TrustOptions &
  BudgetOptions & { readonly relay?: string; readonly role?: string; readonly json?: true }

/**
 * `parley session join`: appraises the relay that an invitation names, and takes a seat there. Where an invite at a relay
 * is named by its session, the contract comes from there and is shown.
 */
export const runJoin = async (path: string, options: JoinOptions, io: Io): Promise<number> => {
  const role = roleOf(options)
  const budget = budgetOf(options)
  const handed = SESSION_ID.test(path) ? null : parseInvitation(await readJsonFile(path))
  const trust = await readTrust(options)
  const participant = await participantOf(options, io)
  const relay = await participant.attest(handed?.relay ?? urlOf(options), trust)
  const invitation = handed ?? (await participant.invitation(relay, path))
  if (handed === null) io.err(invitationText(invitation))
  await participant.join({ relay, trust, budget }, invitation, role)
  const { session_id } = invitation
  if (options.json === true) printJson(io, { session_id })
  else io.out(`${session_id}\n`)
  return 0
}

const SESSION_ID = /^[0-9a-f]{64}$/

const urlOf = ({ relay }: JoinOptions): string => {
  if (relay !== undefined) return parseRelayUrl(relay)
  throw new AgentError('argument_invalid', 'to join a session by its id, say --relay')
}

const roleOf = ({ role }: JoinOptions): Role | null => {
  if (role === undefined) return null
  const found = ROLES.find((each) => each === role)
  if (found === undefined) throw new AgentError('argument_invalid', `a role is one of ${ROLES.join(', ')}`)
  return found
}
