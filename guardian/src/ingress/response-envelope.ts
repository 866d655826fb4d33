import type { JsonObject, Lane, SigningKey } from '@parley/protocol'
import * as v from 'valibot'
import { attachment, type Attachment } from './attachment.js'
import type { MacKey } from './mac-key.js'
import { hex32, instanceId, integer, jsonObject, signature64, text } from './member-formats.js'
import { signAsPrincipal } from './principal-signature.js'

/** The closed form of an answer. */
export const responseEnvelope = v.strictObject({
  task_id: text(0, 256),
  origin_id: text(0, 256),
  issued_at: integer(0),
  instance_id: instanceId,
  status: v.picklist(['ok', 'filtered', 'rejected', 'timeout']),
  data: jsonObject,
  attachments: v.array(attachment),
  request_digest: hex32,
  receiver_signature: signature64,
  signature: hex32,
})

/** A Corvin A2A v4 answer as it crosses the wire. */
export type ResponseEnvelope = v.InferOutput<typeof responseEnvelope>

/** Who answers. */
export type Receiver = {
  readonly lane: Lane
  /** UUIDv4. */
  readonly instance_id: string
  /** The relay's receipt key, or an agent's own. */
  readonly key: SigningKey
  /** A key that no pairing has, drawn at start: MACs under it cost what others cost and convince nobody. */
  readonly decoy: MacKey
}

/** An answer's insides, and what it answers. */
export type TaskAnswer = {
  readonly task_id: string
  readonly origin_id: string
  /** Unix seconds. */
  readonly issued_at: number
  readonly status: 'ok' | 'filtered' | 'timeout'
  /** What the result filter let through. */
  readonly data: JsonObject
  readonly attachments: Attachment[]
  /** SHA-256 of the request's body, lower-case hex. */
  readonly request_digest: string
}

/**
 * Signs an answer: first as the receiver, then with the pairing's MAC.
 * @param recv_key the origin's key for answers
 */
export const signAnswer = (answer: TaskAnswer, receiver: Receiver, recv_key: MacKey): ResponseEnvelope =>
  sign({ ...answer, instance_id: receiver.instance_id }, receiver, recv_key)

/**
 * The one rejection. It holds nothing of the cause, nothing that the sender wrote but the digest of it, and has one length
 * for all; the same request rejected at the same second for two causes differs in its MAC at the most.
 * @param recv_key the origin's key for answers once its MAC has verified, else null: then the MAC is the decoy's
 */
export const issueRejection = (
  request: { readonly digest: string; readonly issued_at: number },
  receiver: Receiver,
  recv_key: MacKey | null,
): ResponseEnvelope =>
  sign(
    {
      task_id: '',
      origin_id: '',
      issued_at: request.issued_at,
      instance_id: receiver.instance_id,
      status: 'rejected' as const,
      data: {},
      attachments: [],
      request_digest: request.digest,
    },
    receiver,
    recv_key ?? receiver.decoy,
  )

const sign = (
  body: Omit<ResponseEnvelope, 'receiver_signature' | 'signature'>,
  { lane, key }: Receiver,
  mac: MacKey,
): ResponseEnvelope => {
  const signed = { ...body, receiver_signature: signAsPrincipal(lane, 'a2a-response', body, key) }
  return { ...signed, signature: mac.sign(signed) }
}
