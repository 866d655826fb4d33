import {
  type Ed25519PublicKey,
  type JsonObject,
  type JsonValue,
  type Lane,
  parseJson,
} from '@parley/protocol'
import * as v from 'valibot'
import { type AttachmentCode, checkAttachments, type OpenedAttachment } from './check-attachments.js'
import { type Checked, no, yes } from './ingress-line.js'
import type { MacKey } from './mac-key.js'
import { hasOnlyIntegers } from './member-formats.js'
import { isSignedByPrincipal } from './principal-signature.js'
import { type ResponseEnvelope, responseEnvelope } from './response-envelope.js'

/** Octets of an answer's body. */
export const MOST_RESPONSE_BYTES = 2_097_152

/** Why a caller does not believe an answer. */
export type ResponseReason =
  | 'response_too_large'
  | 'response_malformed'
  | 'bad_receiver_signature'
  | 'request_mismatch'
  | 'instance_id_mismatch'
  | 'bad_signature'
  | 'task_id_mismatch'
  | AttachmentCode

/** An answer, and all that it must fit. */
export type ResponseToCheck = {
  readonly body: Uint8Array
  readonly sent: {
    readonly task_id: string
    readonly origin_id: string
    /** SHA-256 of the body that was sent, lower-case hex. */
    readonly digest: string
  }
  readonly endpoint: {
    readonly lane: Lane
    readonly recv_key: MacKey
    readonly receiver_key: Ed25519PublicKey
    /** The pin; null takes any instance that signs with the receiver's key. */
    readonly instance_id: string | null
  }
}

/** An answer that is the receiver's own, to this very request. */
export type CheckedResponse =
  | {
      readonly status: 'rejected'
      readonly instance_id: string
      /** True if the rejection came after the task's MAC had verified. */
      readonly isPaired: boolean
    }
  | {
      readonly status: 'ok' | 'filtered' | 'timeout'
      readonly instance_id: string
      readonly data: JsonObject
      readonly attachments: readonly OpenedAttachment[]
    }

/**
 * A caller's checks. There is no unsigned answer: whatever does not verify is a failure of the transport, also where it
 * calls itself a rejection.
 * @see protocol SPEC "Corvin A2A v4"
 */
export const checkResponse = ({
  body,
  sent,
  endpoint,
}: ResponseToCheck): Checked<CheckedResponse, ResponseReason> => {
  if (body.length > MOST_RESPONSE_BYTES) return no('response_too_large')
  const response = read(body)
  if (response === undefined) return no('response_malformed')
  if (!isReceivers(response, endpoint)) return no('bad_receiver_signature')
  // A signed answer to another request is no answer to this one.
  if (response.request_digest !== sent.digest) return no('request_mismatch')
  const { instance_id } = response
  if (endpoint.instance_id !== null && endpoint.instance_id !== instance_id) return no('instance_id_mismatch')
  const { signature, ...unsigned } = response
  const isPaired = endpoint.recv_key.verify(unsigned, signature)
  if (response.status === 'rejected') return checkRejection(response, isPaired)
  if (!isPaired) return no('bad_signature')
  if (response.task_id !== sent.task_id || response.origin_id !== sent.origin_id)
    return no('task_id_mismatch')
  const attachments = checkAttachments(response.attachments)
  if (!attachments.ok) return attachments
  return yes({ status: response.status, instance_id, data: response.data, attachments: attachments.value })
}

const checkRejection = (
  { data, attachments, instance_id, task_id, origin_id }: ResponseEnvelope,
  isPaired: boolean,
): Checked<CheckedResponse, ResponseReason> => {
  const isBare = Object.keys(data).length === 0 && attachments.length === 0 && task_id + origin_id === ''
  return isBare ? yes({ status: 'rejected', instance_id, isPaired }) : no('response_malformed')
}

const isReceivers = (response: ResponseEnvelope, endpoint: ResponseToCheck['endpoint']): boolean => {
  const { signature, receiver_signature, ...unsigned } = response
  return isSignedByPrincipal(
    endpoint.lane,
    'a2a-response',
    unsigned,
    receiver_signature,
    endpoint.receiver_key,
  )
}

const read = (body: Uint8Array): ResponseEnvelope | undefined => {
  const value = parse(body)
  return v.is(responseEnvelope, value) && hasOnlyIntegers(value) ? value : undefined
}

const parse = (body: Uint8Array): JsonValue => {
  try {
    return parseJson(body)
  } catch {
    return null
  }
}
