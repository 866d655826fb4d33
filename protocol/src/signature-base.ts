import { ProtocolError } from './errors.js'
import { fieldValues, type HttpRequest } from './http-message.js'

/**
 * The text that an HTTP message signature signs.
 * @param components names without quotes: `@method`, `@path`, `@query`, `@authority` or lower-case fields
 * @param parameters the value of `@signature-params`, from its opening parenthesis
 * @throws ProtocolError `http_signature_malformed` if a covered field is missing or stands twice, or a value
 * would break the line.
 * @see RFC 9421 §2.5
 */
export const signatureBase = (
  request: HttpRequest,
  components: readonly string[],
  parameters: string,
): string => {
  const lines = components.map((name) => `"${name}": ${componentValue(request, name)}`)
  return [...lines, `"@signature-params": ${parameters}`].join('\n')
}

/** The covered components as an inner list: `("@method" "@path")`. @see RFC 9421 §2.3 */
export const componentList = (components: readonly string[]): string =>
  `(${components.map((name) => `"${name}"`).join(' ')})`

const componentValue = (request: HttpRequest, name: string): string => {
  const value = name.startsWith('@') ? derivedValue(request, name) : fieldValue(request, name)
  // A line break in a value would let one component speak for another.
  if (/[\r\n]/.test(value)) throw malformed(`${name} has a line break`)
  return value
}

/** @see RFC 9421 §2.2 */
const derivedValue = ({ method, authority, path }: HttpRequest, name: string): string => {
  const queryAt = path.indexOf('?')
  switch (name) {
    case '@method':
      return method
    case '@authority':
      return authority.toLowerCase()
    case '@path':
      return queryAt < 0 ? path : path.slice(0, queryAt)
    case '@query':
      // RFC 9421 §2.2.7: without a query the value is the question mark alone.
      return queryAt < 0 ? '?' : path.slice(queryAt)
    default:
      throw malformed('a derived component is unknown')
  }
}

const fieldValue = ({ headers }: HttpRequest, name: string): string => {
  const [value, second] = fieldValues(headers, name)
  if (value === undefined) throw malformed('a covered field is missing')
  // RFC 9421 would join the two; a verifier that reads only one must not be given the choice.
  if (second !== undefined) throw malformed('a covered field stands twice')
  return value.trim()
}

const malformed = (message: string): ProtocolError => new ProtocolError('http_signature_malformed', message)
