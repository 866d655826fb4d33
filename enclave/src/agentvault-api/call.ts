import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { type Refusal, refuse } from './answer.js'

/** Octets; the most that AgentVault's relay reads of one body. */
export const MAX_BODY_BYTES = 2_097_152

/** A request, as handlers see it. */
export type Call = {
  /** The bearer token, if one was presented. */
  readonly bearer: string | undefined
  readonly contentType: string | undefined
  /** Undefined if it was too large or ended early. */
  readonly body: Uint8Array | undefined
  readonly query: URLSearchParams
  readonly lastEventId: string | undefined
}

const BEARER = /^Bearer (?<token>[\x21-\x7e]{1,512})$/

/** The token of an `Authorization` field. */
export const bearerOf = (authorization: string | undefined): string | undefined =>
  BEARER.exec(authorization ?? '')?.groups?.['token']

/** The JSON of a body, or why there is none. */
function readJson({ contentType, body }: Call): { readonly json: JsonValue } | Refusal {
  if (body === undefined) return refuse('too_large')
  if (contentType === undefined || !/^application\/json(?:\s*;|$)/i.test(contentType))
    return refuse('type_refused')
  try {
    return { json: parseJson(body) }
  } catch (error) {
    if (error instanceof ProtocolError) return refuse('request_malformed', error.message)
    throw error
  }
}

/** A body of known members; one that is unknown is refused, not dropped. */
export function readMembers<T>(
  call: Call,
  schema: v.GenericSchema<unknown, T>,
): { readonly read: T } | Refusal {
  const body = readJson(call)
  if ('refused' in body) return body
  const result = v.safeParse(schema, body.json, { abortEarly: true })
  if (result.success) return { read: result.output }
  const member = v.getDotPath(result.issues[0])?.slice(0, 128) ?? '(root)'
  return refuse('members_refused', `member ${member} is missing, unknown or wrong`)
}
