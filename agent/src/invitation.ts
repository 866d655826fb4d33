import {
  type Contract,
  contractHash,
  type JsonValue,
  type Lane,
  LANES,
  parseContract,
  parseDid,
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
  initiator: v.string(),
  lane: v.picklist(LANES),
})

/** What an initiator hands to its counterparty, by a channel of their own. It is a pointer; nothing in it is believed. */
export type Invitation = {
  readonly version: 'parley-invitation-v1'
  /** Address of the relay's proxy. */
  readonly relay: string
  readonly session_id: string
  readonly contract_hash: string
  readonly contract: Contract
  /** DID of whoever created the session; the offer must name the same. */
  readonly initiator: string
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
  parseDid(result.output.initiator)
  return { ...result.output, contract, relay: parseRelayUrl(result.output.relay) }
}
