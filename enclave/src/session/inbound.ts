import {
  type HttpRequest,
  JSON_TYPE,
  fieldValues,
  type JsonValue,
  parseCanonicalJson,
  type Role,
} from '@parley/protocol'
import type { Caller } from './authenticate.js'
import type { InnerContext } from './inner-context.js'
import { orRefuse, refuse, type Refused } from './refuse.js'
import type { Cell } from './session-table.js'

/** An authenticated request. */
export type Inbound = {
  readonly request: HttpRequest
  readonly context: InnerContext
  readonly caller: Caller
}

/** An authenticated request to a session in which its caller has a part. */
export type SessionInbound = Inbound & { readonly cell: Cell; readonly role: Role }

/**
 * Reads a body: exact JCS of one object of the protocol.
 * @param parse the protocol's parser of that object
 */
export function readBody<T extends object>(
  { request }: Inbound,
  parse: (value: JsonValue) => T,
): T | Refused {
  const read = readJson(request)
  if ('refused' in read) return read
  return orRefuse(
    'request_malformed',
    () => parse(read.json),
    ({ message }) => message,
  )
}

/** The JSON of a body. Boxed, since a body may itself have a member `refused`. */
export function readJson({ headers, content }: HttpRequest): { readonly json: JsonValue } | Refused {
  const types = fieldValues(headers, 'content-type')
  if (types.length !== 1 || types[0] !== JSON_TYPE) return refuse('request_malformed', 'content-type')
  return orRefuse(
    'request_malformed',
    () => ({ json: parseCanonicalJson(content) }),
    ({ code }) => code,
  )
}
