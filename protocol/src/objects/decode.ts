import * as v from 'valibot'
import { ProtocolError } from '../errors.js'
import { isJsonObject, type JsonValue } from '../json-value.js'

type Schema<T> = v.GenericSchema<T>

/**
 * Reads a wire object against its closed schema. What is returned is the value itself, whose members stand as they were
 * parsed: no schema of ours changes one.
 * @throws ProtocolError object_malformed, naming the member and never its value.
 */
export function decode<T>(schema: Schema<T>, value: JsonValue, what: string): T {
  // An array would pass as an object without members.
  if (!isJsonObject(value)) throw new ProtocolError('object_malformed', `${what}: not an object`)
  if (v.is(schema, value)) return value
  const { issues } = v.safeParse(schema, value, { abortEarly: true, abortPipeEarly: true })
  const member = (issues && v.getDotPath(issues[0])) ?? '(root)'
  throw new ProtocolError(
    'object_malformed',
    `${what}: member ${member.slice(0, 128)} is missing, unknown or wrong`,
  )
}
