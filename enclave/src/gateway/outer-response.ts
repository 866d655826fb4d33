import {
  JSON_TYPE,
  type JsonObject,
  canonicalBytes,
  OHTTP_KEY_PROBLEM,
  PROBLEM_TYPE,
  utf8,
} from '@parley/protocol'

/** An answer in clear: what the host-proxy sees. */
export type OuterResponse = {
  readonly status: number
  readonly type: string
  readonly body: Uint8Array
}

const plain = (status: number, text: string): OuterResponse => ({
  status,
  type: 'text/plain',
  body: utf8(`${text}\n`),
})

/** Canonical JSON in clear. */
export const jsonOuter = (status: number, body: JsonObject): OuterResponse => ({
  status,
  type: JSON_TYPE,
  body: canonicalBytes(body),
})

/** The one answer to whatever fails before decapsulation: which check failed is nobody's to learn. */
export const BAD_REQUEST = plain(400, 'bad request')
export const NOT_FOUND = plain(404, 'not found')
export const TOO_MANY = plain(429, 'too many requests')
export const NOT_READY = plain(503, 'not ready')

/** Only a hint: it is not authenticated. @see RFC 9458 §5.3 */
export const KEY_UNKNOWN: OuterResponse = {
  status: 400,
  type: PROBLEM_TYPE,
  body: canonicalBytes({ title: 'key identifier unknown', type: OHTTP_KEY_PROBLEM }),
}
