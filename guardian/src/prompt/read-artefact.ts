import { type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'

/**
 * Reads an artefact of a fixed form.
 * @param what the artefact's name, for the message
 * @throws ProtocolError object_malformed, naming the member
 */
export const readArtefact = <T>(schema: v.GenericSchema<unknown, T>, value: JsonValue, what: string): T => {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const member = v.getDotPath(result.issues[0])?.slice(0, 128) ?? '(root)'
  throw new ProtocolError('object_malformed', `${what}: member ${member} is missing, unknown or wrong`)
}
