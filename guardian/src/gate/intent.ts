import {
  canonicalize,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
  ProtocolError,
} from '@parley/protocol'
import * as v from 'valibot'
import { CLASSIFICATIONS } from '../ingress/classification-label.js'
import { EFFECTS, type Effect, type EffectRequest, type Intent } from './effect.js'

const MOST_NAME = 256
const MOST_RECIPIENTS = 64

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(MOST_NAME))
const intentMembers = {
  effect: v.custom<Effect>((value) => typeof value === 'string' && Object.hasOwn(EFFECTS, value)),
  resource: name,
  arguments: v.custom<JsonObject>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  ),
}
const intentSchema = v.strictObject(intentMembers)
const requestSchema = v.strictObject({
  ...intentMembers,
  purpose: name,
  classification: v.picklist(CLASSIFICATIONS),
  recipients: v.pipe(v.array(name), v.maxLength(MOST_RECIPIENTS)),
})

/**
 * Reads what a reasoning component asks for. Everything else that it may say, a result, an identity, an approval, a
 * label, an event, is an unknown member and refuses the whole.
 * @throws ProtocolError `object_malformed`, `json_malformed`, `json_too_deep`
 * @see SPEC "Effect gate"
 */
export const parseIntent = (value: JsonValue): Intent => read(intentSchema, value, 'intent')

/**
 * Reads a request of the host's own making into a copy that nobody else can change while it waits.
 * @throws ProtocolError `object_malformed`, `json_malformed`, `json_too_deep`
 */
export const parseEffectRequest = (value: JsonValue): EffectRequest =>
  read(requestSchema, value, 'effect request')

const read = <T>(schema: v.GenericSchema<unknown, T>, value: JsonValue, what: string): T => {
  const copy = parseJson(canonicalize(value))
  const result = v.safeParse(schema, isJsonObject(copy) ? copy : null, { abortEarly: true })
  if (!result.success)
    throw new ProtocolError('object_malformed', `${what}: a member is missing, unknown or wrong`)
  return result.output
}
