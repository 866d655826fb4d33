import { type Checked, isOriginId, type MacKey, macKeyOfHex } from '@parley/guardian'
import { type Ed25519PublicKey, type JsonValue, parseDid } from '@parley/protocol'
import * as v from 'valibot'
import { uuid } from './instance-id.js'
import { parseTaskUrl } from './task-url.js'

const id = v.pipe(v.string(), v.check(isOriginId))

/** The longest life that a task may ask for, in seconds. */
export const ttlSeconds = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(86_400))

/** What a person calls a peer. */
export const peerLabel = v.pipe(v.string(), v.minLength(1), v.maxLength(80))

const endpointFile = v.strictObject({
  endpoint_id: id,
  url: v.string(),
  hmac_key: v.string(),
  recv_key: v.string(),
  receiver_did: v.string(),
  /** The pin; null takes any instance that signs with the receiver's key. */
  instance_id: v.optional(v.nullable(uuid), null),
  enabled: v.optional(v.boolean(), false),
  default_ttl_s: v.optional(ttlSeconds, 60),
  our_origin_id: id,
  label: v.optional(v.nullable(peerLabel), null),
})

/** Why an endpoint's file counts for nothing. */
export type EndpointReason = 'endpoint_file_malformed' | 'endpoint_key_malformed' | 'endpoint_url_refused'

/** Who takes tasks from here. */
export type Endpoint = Omit<v.InferOutput<typeof endpointFile>, 'hmac_key' | 'recv_key' | 'receiver_did'> & {
  /** Of the tasks that go out. */
  readonly hmac_key: MacKey
  /** Of the answers that come in. */
  readonly recv_key: MacKey
  readonly receiver_key: Ed25519PublicKey
}

/** Reads an endpoint file's JSON. A member that it does not know is refused; what leaves out `enabled` is off. */
export const parseEndpoint = (value: JsonValue): Checked<Endpoint, EndpointReason> => {
  const read = v.safeParse(endpointFile, value, { abortEarly: true })
  if (!read.success) return { ok: false, reason: 'endpoint_file_malformed' }
  const { hmac_key, recv_key, receiver_did, url, ...rest } = read.output
  const address = attempt(() => parseTaskUrl(url))
  if (address === undefined) return { ok: false, reason: 'endpoint_url_refused' }
  const keys = attempt(() => ({
    hmac_key: macKeyOfHex(hmac_key),
    recv_key: macKeyOfHex(recv_key),
    receiver_key: parseDid(receiver_did).publicKey,
  }))
  if (keys === undefined) return { ok: false, reason: 'endpoint_key_malformed' }
  return { ok: true, value: { ...rest, ...keys, url: address } }
}

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}
