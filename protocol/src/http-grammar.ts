import type { HeaderField, HttpRequest, HttpResponse } from './http-message.js'

const MAX_FIELDS = 128
const METHOD = /^[A-Z][A-Z-]*$/
const SCHEME = /^[a-z][a-z0-9+.-]*$/
const AUTHORITY = /^[A-Za-z0-9._~:[\]-]*$/
// RFC 3986 §3.3, §3.4 without a fragment; what stands in it is not normalised, so it is signed as it stands.
const PATH = /^\/[A-Za-z0-9\-._~!$&'()*+,;=:@/?%]*$/
const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const FIELD_VALUE = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/

// RFC 9292 §3.6 and RFC 9113 §8.2.2: fields that speak of a connection have no meaning here.
const CONNECTION_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** What is wrong with a request, by the name of the part; undefined if nothing is. */
export const requestDefect = ({
  method,
  scheme,
  authority,
  path,
  headers,
}: HttpRequest): string | undefined => {
  if (!METHOD.test(method)) return 'method'
  if (!SCHEME.test(scheme)) return 'scheme'
  if (!AUTHORITY.test(authority)) return 'authority'
  return PATH.test(path) ? headersDefect(headers) : 'path'
}

/** What is wrong with a response, by the name of the part; undefined if nothing is. */
export const responseDefect = ({ status, headers }: HttpResponse): string | undefined =>
  // An informational response would precede the final one, and there is nobody who waits for it.
  Number.isInteger(status) && status >= 200 && status <= 599 ? headersDefect(headers) : 'status'

const headersDefect = (headers: readonly HeaderField[]): string | undefined => {
  if (headers.length > MAX_FIELDS) return 'number of fields'
  return headers.every(isField) ? undefined : 'field line'
}

/** Pseudo-header fields fall to the grammar of names: a colon is not in it. */
const isField = ([name, value]: HeaderField): boolean =>
  FIELD_NAME.test(name) && FIELD_VALUE.test(value) && !CONNECTION_FIELDS.has(name)
