import * as v from 'valibot'
import { ProtocolError } from '../errors.js'
import { isJsonObject, type JsonValue } from '../json-value.js'

type Schema<T> = v.GenericSchema<unknown, T>

/**
 * Reads a wire object against its closed schema.
 * @throws ProtocolError object_malformed, naming the member and never its value.
 */
export function decode<T>(schema: Schema<T>, value: JsonValue, what: string): T {
  // An array would pass as an object without members.
  if (!isJsonObject(value)) throw new ProtocolError('object_malformed', `${what}: not an object`)
  const result = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const member = v.getDotPath(issue) ?? '(root)'
  throw new ProtocolError(
    'object_malformed',
    `${what}: member ${member.slice(0, 128)} is missing, unknown or wrong`,
  )
}
