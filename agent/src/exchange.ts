import {
  fieldValues,
  type HttpResponse,
  JSON_TYPE,
  type JsonValue,
  OHTTP_REQUEST_TYPE,
  OHTTP_RESPONSE_TYPE,
  OUTER_PATHS,
  parseCanonicalJson,
  parseResponse,
  ProtocolError,
  REFUSALS,
  verifyRefusal,
} from '@parley/protocol'
import type { AttestedKeyset } from '@parley/verifier'
import { AgentError } from './agent-error.js'
import type { AttestedRelay } from './attest-relay.js'
import { outerRefusal } from './outer-refusal.js'
import { postOnce } from './outer-request.js'
import { RelayRefusal } from './relay-refusal.js'
import type { SealedRequest } from './seal-request.js'

/**
 * Sends a sealed request once and opens the relay's answer.
 * @returns the body of a 200 or 201
 * @throws RelayRefusal where the relay said no and signed it
 * @throws AgentError `relay_unreachable`, `gateway_refused`, `gateway_key_unknown`: nobody vouches for these;
 * `answer_malformed` where an answer is neither.
 * @see SPEC §10
 */
export const exchange = async (relay: AttestedRelay, sealed: SealedRequest): Promise<JsonValue> => {
  const asked = { url: relay.url + OUTER_PATHS.ohttp, type: OHTTP_REQUEST_TYPE, body: sealed.message }
  const answer = await postOnce(asked)
  if (answer.status !== 200) throw outerRefusal(answer)
  if (answer.type !== OHTTP_RESPONSE_TYPE) throw malformed()
  return orMalformed(() => {
    const response = parseResponse(sealed.open(answer.body))
    const body = bodyOf(response)
    if (response.status >= 400) throw refusalOf(response.status, body, sealed, relay.keyset)
    if (response.status > 201) throw malformed()
    return body
  })
}

const bodyOf = ({ headers, content }: HttpResponse): JsonValue => {
  const [type, second] = fieldValues(headers, 'content-type')
  if (type !== JSON_TYPE || second !== undefined) throw malformed()
  return parseCanonicalJson(content)
}

const refusalOf = (
  status: number,
  body: JsonValue,
  { encapsulation }: SealedRequest,
  { keyset, keysetDigest, receiptKey }: AttestedKeyset,
): RelayRefusal | AgentError => {
  const refusal = verifyRefusal(body, receiptKey)
  const fits =
    refusal.encapsulation === encapsulation &&
    refusal.keyset_digest === keysetDigest &&
    refusal.lane === keyset.lane &&
    REFUSALS[refusal.code] === status
  return fits ? new RelayRefusal(refusal) : malformed()
}

const orMalformed = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    throw error instanceof ProtocolError ? malformed(error.code) : error
  }
}

const malformed = (cause = 'of another form'): AgentError =>
  new AgentError('answer_malformed', `the relay's answer can't be used: ${cause}`)
