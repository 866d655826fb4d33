import { type JsonValue, parseJson, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from './agent-error.js'
import { readPrivateFile } from './private-file.js'

/**
 * Reads a private JSON file of a closed form.
 * @param parse what else must hold; what it throws of the protocol's errors counts as malformed too
 * @throws AgentError `state_missing`, `file_not_private`, `state_malformed`
 */
export const readState = <T, U>(
  path: string,
  schema: v.GenericSchema<unknown, T>,
  parse: (read: T) => U,
): U => {
  const bytes = readPrivateFile(path)
  try {
    const result = v.safeParse(schema, parseJson(bytes), { abortEarly: true })
    if (result.success) return parse(result.output)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
  throw new AgentError('state_malformed', `${path} is not what this version writes`)
}

/** Any JSON value. */
export const json = v.custom<JsonValue>((value) => value !== undefined)
