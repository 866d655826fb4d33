import {
  canonicalize,
  type Ed25519PublicKey,
  isJsonObject,
  type JsonValue,
  type Lane,
  parseJson,
  type SigningKey,
} from '@parley/protocol'
import * as v from 'valibot'
import { attachment } from './attachment.js'
import { type Checked, no, yes } from './ingress-line.js'
import type { MacKey } from './mac-key.js'
import {
  hasOnlyIntegers,
  hex32,
  instanceId,
  integer,
  jsonObject,
  signature64,
  text,
} from './member-formats.js'
import { isSignedByPrincipal, signAsPrincipal } from './principal-signature.js'
import type { SchemaReason } from './rejection-reason.js'

/** Octets of a task's body. A receiver reads one more at the most, and gives what it read to the pipeline. */
export const MOST_TASK_BYTES = 2_097_152
/** UTF-16 units of a result schema's canonical text. */
const MOST_RESULT_SCHEMA = 65_536

const taskEnvelope = v.strictObject({
  task_id: text(1, 256),
  origin_id: text(1, 256),
  sender_instance_id: instanceId,
  purpose_id: v.exactOptional(text(1, 64)),
  instruction: text(1, 65_536),
  attachments: v.array(attachment),
  result_schema: jsonObject,
  nonce: v.pipe(text(16, 256), v.regex(/^[A-Za-z0-9-]+$/)),
  issued_at: integer(0),
  ttl_s: integer(1, 86_400),
  sender_signature: v.exactOptional(signature64),
  signature: hex32,
})

/** A Corvin A2A v4 task as it crosses the wire. */
export type TaskEnvelope = v.InferOutput<typeof taskEnvelope>

/** A task before anyone answers for it. */
export type UnsignedTask = Omit<TaskEnvelope, 'signature' | 'sender_signature'>

/** Whom a task is from. `sender` is null where the pairing knows no key but the MAC's. */
export type TaskKeys = {
  readonly lane: Lane
  readonly hmac: MacKey
  readonly sender: SigningKey | null
}

/**
 * Reads the bytes of a task: strict JSON, closed members, integers only.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const readTask = (body: Uint8Array): Checked<TaskEnvelope, SchemaReason> => {
  if (body.length > MOST_TASK_BYTES) return no('body_too_large')
  const value = parse(body)
  if (value === undefined) return no('not_json')
  if (!isJsonObject(value)) return no('not_an_object')
  if (!v.is(taskEnvelope, value)) return no(reasonOf(value))
  if (!hasOnlyIntegers(value)) return no('number_not_an_integer')
  if (canonicalize(value.result_schema).length > MOST_RESULT_SCHEMA) return no('result_schema_too_large')
  return yes(value)
}

/**
 * Signs a task: first as the principal, if it has a key, then with the pairing's MAC, which covers that signature, too.
 * @throws ProtocolError `json_malformed`, `json_too_deep` on members that have no canonical form
 */
export const signTask = (task: UnsignedTask, { lane, hmac, sender }: TaskKeys): TaskEnvelope => {
  const signed =
    sender === null ? task : { ...task, sender_signature: signAsPrincipal(lane, 'a2a-task', task, sender) }
  return { ...signed, signature: hmac.sign(signed) }
}

/** True if the pairing's key made the MAC over every member but `signature`. */
export const hasPairingMac = ({ signature, ...unsigned }: TaskEnvelope, key: MacKey): boolean =>
  key.verify(unsigned, signature)

/** True if the sender is as the pairing knows it: its signature where it has a key, none where nobody could check one. */
export const isFromSender = (task: TaskEnvelope, lane: Lane, sender: Ed25519PublicKey | null): boolean => {
  const { signature, sender_signature, ...unsigned } = task
  if (sender === null || sender_signature === undefined)
    return sender === null && sender_signature === undefined
  return isSignedByPrincipal(lane, 'a2a-task', unsigned, sender_signature, sender)
}

const parse = (body: Uint8Array): JsonValue | undefined => {
  try {
    return parseJson(body)
  } catch {
    return undefined
  }
}

const reasonOf = (value: JsonValue): SchemaReason => {
  const { issues } = v.safeParse(taskEnvelope, value, { abortEarly: true, abortPipeEarly: true })
  const issue = issues?.[0]
  if (issue?.type === 'strict_object' && issue.expected === 'never') return 'unknown_fields'
  if (issue?.type === 'strict_object' && issue.received === 'undefined') return 'missing_fields'
  if (issue?.type === 'max_length') return 'too_long'
  if (issue?.type === 'min_value' && issue.path?.[0].key === 'ttl_s') return 'ttl_too_small'
  if (issue?.type === 'safe_integer') return 'number_not_an_integer'
  return 'type_error'
}
