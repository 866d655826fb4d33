import { type Ed25519PublicKey, isJsonObject, type JsonValue, parseDid } from '@parley/protocol'
import * as v from 'valibot'
import { CLASSIFICATIONS } from './classification-label.js'
import { type Checked, no, yes } from './ingress-line.js'
import { type MacKey, macKeyOfHex } from './mac-key.js'
import { instanceId, integer, isOriginId, text } from './member-formats.js'
import type { OriginReason } from './rejection-reason.js'

const name = text(1, 128)
const names = v.pipe(v.array(name), v.maxLength(256))
const denied = v.optional(v.boolean(), false)

const originFile = v.strictObject({
  origin_id: v.pipe(v.string(), v.check(isOriginId)),
  hmac_key: v.string(),
  recv_key: v.string(),
  enabled: v.optional(v.boolean(), false),
  label: v.optional(v.nullable(text(1, 80)), null),
  sender_did: v.optional(v.nullable(text(1, 256)), null),
  sender_instance_id_pin: v.optional(v.nullable(instanceId), null),
  max_ttl_s: v.optional(integer(1, 86_400), 300),
  /** Requests a minute; 0 is without limit. */
  rate_limit_rpm: v.optional(integer(0, 60_000), 60),
  /** null: any purpose, or none. An empty list allows none. */
  allowed_purposes: v.optional(v.nullable(names), null),
  personal_data: denied,
  required_consent_purposes: v.optional(names, []),
  data_subject_id: v.optional(v.nullable(text(1, 256)), null),
  max_data_classification: v.optional(v.picklist(CLASSIFICATIONS), 'INTERNAL'),
  /** False: an observer, whose tasks are recorded and run by nobody. */
  spawn_worker: denied,
  allowed_personas: v.optional(names, []),
  allow_bash: denied,
  allow_network: denied,
  allow_read_files: denied,
  allow_write_files: denied,
  allow_subagents: denied,
  allowed_tools: v.optional(names, []),
  disallowed_tools: v.optional(names, []),
})

type OriginFile = v.InferOutput<typeof originFile>

/** Who may send tasks here, and what for. The receiver owns it; nothing in a task changes it. */
export type Origin = Omit<OriginFile, 'hmac_key' | 'recv_key' | 'sender_did'> & {
  /** Of the tasks that come in. */
  readonly hmac_key: MacKey
  /** Of the answers that go out. */
  readonly recv_key: MacKey
  /** The sender's own key; null where only the pairing's MAC says who sends. */
  readonly sender_key: Ed25519PublicKey | null
}

/**
 * Reads an origin file's JSON. What it leaves out is denied; a member that it does not know is refused.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const parseOrigin = (value: JsonValue): Checked<Origin, OriginReason> => {
  const read = isJsonObject(value) ? v.safeParse(originFile, value, { abortEarly: true }) : undefined
  if (!read?.success) return no('origin_file_malformed')
  const { hmac_key, recv_key, sender_did, ...rest } = read.output
  try {
    return yes({
      ...rest,
      hmac_key: macKeyOfHex(hmac_key),
      recv_key: macKeyOfHex(recv_key),
      sender_key: sender_did === null ? null : parseDid(sender_did).publicKey,
    })
  } catch {
    return no('origin_key_malformed')
  }
}
