import { type JsonObject, type JsonValue, ProtocolError } from '@parley/protocol'
import * as v from 'valibot'
import { CLASSIFICATIONS } from '../ingress/classification-label.js'
import { APPROVAL_STATES, type ApprovalRecord, type ApprovalState } from './approval.js'
import { effectDigest } from './effect-statement.js'
import { EFFECTS, type Effect } from './effect.js'

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entity = v.strictObject({ type: v.string(), id: v.string() })
const seconds = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const identity = v.strictObject({
  owner: v.string(),
  tenant: v.string(),
  session: v.string(),
  credential_context: v.string(),
  principal: entity,
  delegation: v.array(entity),
})
const effect = v.strictObject({
  version: v.literal('parley-effect-v1'),
  effect_id: v.string(),
  effect: v.custom<Effect>((value) => typeof value === 'string' && Object.hasOwn(EFFECTS, value)),
  resource: entity,
  arguments: v.custom<JsonObject>(isObject),
  purpose: v.string(),
  classification: v.picklist(CLASSIFICATIONS),
  recipients: v.array(v.string()),
  identity: v.nullable(identity),
})
const record = v.strictObject({
  effect,
  effect_digest: v.string(),
  asked_at: seconds,
  expires_at: seconds,
  rules: v.array(v.string()),
  state: v.custom<ApprovalState>(
    (value) => typeof value === 'string' && Object.hasOwn(APPROVAL_STATES, value),
  ),
  grant: v.nullable(v.custom<JsonObject>(isObject)),
})

/**
 * Reads a kept approval back.
 * @throws ProtocolError `object_malformed`, also where the effect that it shows is not the one that it binds
 */
export const parseApproval = (value: JsonValue): ApprovalRecord => {
  const result = v.safeParse(record, value, { abortEarly: true })
  if (!result.success || effectDigest(result.output.effect) !== result.output.effect_digest)
    throw new ProtocolError('object_malformed', 'approval: a member is missing, unknown or wrong')
  return result.output
}
