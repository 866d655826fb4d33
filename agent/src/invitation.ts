import {
  type Contract,
  contractHash,
  type JsonValue,
  type Lane,
  LANES,
  parseContract,
  parseDid,
  type Role,
  rolesOf,
} from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from './agent-error.js'
import { json } from './read-state.js'
import { parseRelayUrl } from './relay-url.js'

const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
const schema = v.strictObject({
  version: v.literal('parley-invitation-v1'),
  relay: v.string(),
  session_id: digest,
  contract_hash: digest,
  contract: json,
  seats: v.array(v.nullable(v.string())),
  lane: v.picklist(LANES),
})

/** What an initiator hands to those it confers with, by a channel of their own. It is a pointer; nothing in it is believed. */
export type Invitation = {
  readonly version: 'parley-invitation-v1'
  /** Address of the relay's proxy. */
  readonly relay: string
  readonly session_id: string
  readonly contract_hash: string
  readonly contract: Contract
  /** The DIDs that were named for the seats, in role order, the initiator's first; null where whoever joins is accepted. */
  readonly seats: readonly (string | null)[]
  readonly lane: Lane
}

/**
 * Reads an invitation.
 * @throws AgentError `invitation_refused` where a member is missing, unknown or wrong, or the contract has another hash.
 * @throws AgentError `url_malformed`
 * @throws ProtocolError `object_malformed`, `did_malformed`
 */
export const parseInvitation = (value: JsonValue): Invitation => {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (!result.success)
    throw new AgentError('invitation_refused', 'a member of the invitation is missing, unknown or wrong')
  const contract = parseContract(result.output.contract)
  if (contractHash(contract) !== result.output.contract_hash)
    throw new AgentError('invitation_refused', 'the contract is not the one that the invitation names')
  requireSeats(result.output.seats, contract)
  return { ...result.output, contract, relay: parseRelayUrl(result.output.relay) }
}

const requireSeats = (
  [initiator, ...invited]: readonly (string | null)[],
  { participants }: Contract,
): void => {
  // Whoever created the session is known.
  if (initiator === undefined || initiator === null || invited.length !== participants.length - 1)
    throw new AgentError('invitation_refused', 'the invitation does not name a seat for each participant')
  for (const did of [initiator, ...invited]) if (did !== null) parseDid(did)
}

/**
 * The seat that a participant takes by an invitation: the one that it is named for, or an open one.
 * @param wanted the role that it asks for; needed only where several seats are open
 * @throws AgentError `invitation_refused` where there is none for it
 */
export const seatFor = (did: string, { seats }: Invitation, wanted: Role | null): Role => {
  const roles = rolesOf(seats.length)
  const named = roles.filter((_, seat) => seats[seat] === did)
  const free = named.length > 0 ? named : roles.filter((_, seat) => seats[seat] === null)
  const fitting = wanted === null ? free : free.filter((role) => role === wanted)
  const [role, another] = fitting
  if (role === undefined)
    throw new AgentError('invitation_refused', 'the invitation has no such seat for this participant')
  if (another !== undefined)
    throw new AgentError('invitation_refused', `several seats are open: say which (${fitting.join(', ')})`)
  return role
}
