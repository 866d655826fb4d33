import * as v from 'valibot'
import { artefacts } from './artefacts.js'
import { type Contract, parseContract } from './contract.js'
import { consent } from './consent.js'
import { decode } from './decode.js'
import { base64url, did, digest, hex, json, jsonObject, time } from './formats.js'
import { ledgerClaim, ledgerEntry } from './ledger.js'
import { offer } from './offer.js'
import { FEWEST_PARTICIPANTS, MOST_PARTICIPANTS } from './role.js'
import { ProtocolError } from '../errors.js'
import type { JsonObject, JsonValue } from '../json-value.js'

/** The states of a session, AgentVault's. */
export const SESSION_STATES = ['CREATED', 'PARTIAL', 'PROCESSING', 'COMPLETED', 'ABORTED'] as const
const state = v.picklist(SESSION_STATES)

/** A state of a session. */
export type SessionState = (typeof SESSION_STATES)[number]

const createRequest = v.strictObject({
  contract: jsonObject,
  invited: v.pipe(
    v.array(v.nullable(did)),
    v.minLength(FEWEST_PARTICIPANTS - 1),
    v.maxLength(MOST_PARTICIPANTS - 1),
  ),
  nonce: base64url(32),
  ledger: ledgerClaim,
})
const joinRequest = v.strictObject({ contract_hash: digest, nonce: base64url(32), ledger: ledgerClaim })
const consentRequest = v.strictObject({ consent })
const inputRequest = v.strictObject({ input: json, salt: base64url(32) })
const cancelRequest = v.strictObject({})

const created = v.strictObject({ session_id: hex(32), expires_at: time })
const offered = v.strictObject({
  state,
  contract: jsonObject,
  artefacts,
  offer: v.nullable(offer),
  ledger_entry: v.nullable(ledgerEntry),
})
const accepted = v.strictObject({ state, input_commitment: v.nullable(digest) })
const result = v.strictObject({ state, bundle: v.nullable(jsonObject) })

/**
 * Opens a session. `invited` stands for the contract's other participants, in order; null lets whoever holds the
 * session id take that seat, and the offer says so.
 */
export type CreateRequest = Omit<v.InferOutput<typeof createRequest>, 'contract'> & {
  readonly contract: Contract
}
/** Joins a session, naming the contract that is expected there. */
export type JoinRequest = v.InferOutput<typeof joinRequest>
/** Consents to an offer. */
export type ConsentRequest = v.InferOutput<typeof consentRequest>
/** Submits an input with the participant's own salt. */
export type InputRequest = v.InferOutput<typeof inputRequest>
/** Answer to a creation. */
export type Created = v.InferOutput<typeof created>
/** Answer to a join and to a poll for the offer; `ledger_entry` opens the asker's own head. */
export type Offered = v.InferOutput<typeof offered>
/** Answer to a consent, an input and a cancellation. */
export type Accepted = v.InferOutput<typeof accepted>
/** Answer to a poll for the result; the bundle is null until the release. */
export type Result = v.InferOutput<typeof result>

/** Reads the body of `POST /v1/sessions`. @throws ProtocolError object_malformed */
export function parseCreateRequest(value: JsonValue): CreateRequest {
  const read = decode(createRequest, value, 'create request')
  const contract = parseContract(read.contract)
  if (read.invited.length !== contract.participants.length - 1)
    throw new ProtocolError('object_malformed', 'create request: member invited is not one for each seat')
  return { ...read, contract }
}
/** Reads the body of `POST /v1/sessions/ID/join`. @throws ProtocolError object_malformed */
export const parseJoinRequest = (value: JsonValue): JoinRequest => decode(joinRequest, value, 'join request')
/** Reads the body of `POST /v1/sessions/ID/consent`. @throws ProtocolError object_malformed */
export const parseConsentRequest = (value: JsonValue): ConsentRequest =>
  decode(consentRequest, value, 'consent request')
/** Reads the body of `POST /v1/sessions/ID/input`. @throws ProtocolError object_malformed */
export const parseInputRequest = (value: JsonValue): InputRequest =>
  decode(inputRequest, value, 'input request')
/** Reads the empty body of `POST /v1/sessions/ID/cancel`. @throws ProtocolError object_malformed */
export const parseCancelRequest = (value: JsonValue): JsonObject =>
  decode(cancelRequest, value, 'cancel request')
/** Reads the answer to a creation. @throws ProtocolError object_malformed */
export const parseCreated = (value: JsonValue): Created => decode(created, value, 'created')
/** Reads the answer to a join or an offer poll. @throws ProtocolError object_malformed */
export const parseOffered = (value: JsonValue): Offered => decode(offered, value, 'offered')
/** Reads the answer to a consent, an input or a cancellation. @throws ProtocolError object_malformed */
export const parseAccepted = (value: JsonValue): Accepted => decode(accepted, value, 'accepted')
/** Reads the answer to a result poll. @throws ProtocolError object_malformed */
export const parseResult = (value: JsonValue): Result => decode(result, value, 'result')
