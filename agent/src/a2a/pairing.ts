import { randomBytes } from 'node:crypto'
import { isOriginId } from '@parley/guardian'
import { type JsonObject, type JsonValue, toHex } from '@parley/protocol'
import * as v from 'valibot'
import { AgentError } from '../agent-error.js'
import { ttlSeconds } from './endpoint.js'
import { type InstanceCard, instanceCard } from './instance-id.js'
import { parseTaskUrl } from './task-url.js'

const KEY_BYTES = 32
const key = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

const pairing = v.strictObject({
  version: v.literal('parley-a2a-pairing-v1'),
  lane: v.literal('software'),
  origin_id: v.pipe(v.string(), v.check(isOriginId)),
  url: v.string(),
  hmac_key: key,
  recv_key: key,
  max_ttl_s: ttlSeconds,
  sender: instanceCard,
  receiver: instanceCard,
})

/** What goes from the receiver to the sender by a way of their own, and is as secret as the keys in it. */
export type Pairing = v.InferOutput<typeof pairing>

/** What a receiver grants whom it pairs with; all else is its owner's to write into the origin file. */
export type PairingGrant = {
  readonly label: string
  readonly enabled: boolean
  readonly max_ttl_s: number
  readonly spawn_worker: boolean
  readonly allowed_personas: readonly string[]
  /** null: any purpose, or none. */
  readonly allowed_purposes: readonly string[] | null
}

/** Draws the two keys of a pairing. @throws AgentError `url_malformed` */
export const drawPairing = (
  {
    receiver,
    sender,
    url,
  }: { readonly receiver: InstanceCard; readonly sender: InstanceCard; readonly url: string },
  { origin_id, max_ttl_s }: { readonly origin_id: string; readonly max_ttl_s: number },
): Pairing => ({
  version: 'parley-a2a-pairing-v1',
  lane: 'software',
  origin_id,
  url: parseTaskUrl(url),
  hmac_key: toHex(randomBytes(KEY_BYTES)),
  recv_key: toHex(randomBytes(KEY_BYTES)),
  max_ttl_s,
  sender,
  receiver,
})

/** Reads a pairing. @throws AgentError `state_malformed` */
export const parsePairing = (value: JsonValue): Pairing => {
  const read = v.safeParse(pairing, value, { abortEarly: true })
  if (read.success) return read.output
  throw new AgentError('state_malformed', 'that is not a pairing of this version')
}

/** The receiver's origin file of a pairing: sender and instance are pinned, and nothing is allowed but what is granted. */
export const originFileOf = (
  { origin_id, hmac_key, recv_key, sender }: Pairing,
  grant: PairingGrant,
): JsonObject => ({
  origin_id,
  hmac_key,
  recv_key,
  sender_did: sender.did,
  sender_instance_id_pin: sender.instance_id,
  ...grant,
})

/**
 * The sender's endpoint file of a pairing.
 * @throws AgentError `argument_invalid` where the pairing is another instance's
 */
export const endpointFileOf = (
  { origin_id, url, hmac_key, recv_key, max_ttl_s, sender, receiver }: Pairing,
  own: InstanceCard,
  {
    endpoint_id,
    label,
    enabled,
  }: { readonly endpoint_id: string; readonly label: string; readonly enabled: boolean },
): JsonObject => {
  if (sender.did !== own.did || sender.instance_id !== own.instance_id)
    throw new AgentError('argument_invalid', 'the pairing is for another instance than this one')
  return {
    endpoint_id,
    url,
    hmac_key,
    recv_key,
    receiver_did: receiver.did,
    instance_id: receiver.instance_id,
    enabled,
    default_ttl_s: Math.min(60, max_ttl_s),
    our_origin_id: origin_id,
    label,
  }
}
