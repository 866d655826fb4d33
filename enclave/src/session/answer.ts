import {
  canonicalBytes,
  type HttpResponse,
  JSON_TYPE,
  type JsonObject,
  ProtocolError,
  sizeClass,
} from '@parley/protocol'

/** An inner response and the size class, in octets, of the encapsulated response that carries it. */
export type SizedResponse = HttpResponse & { readonly padTo: number }

/** A yes, before it has bytes. */
export type Answer = {
  readonly status: 200 | 201
  readonly body: JsonObject
  /** Octets that no answer of this kind exceeds, so that its size class says nothing of this body; 0 where it may. */
  readonly mostBytes: number
}

/** A yes whose size says nothing that its route does not. */
export const answer = (body: JsonObject, mostBytes = 0): Answer => ({ status: 200, body, mostBytes })

// Binary HTTP control data and fields, response nonce (32 at most), AEAD tag.
export const RESPONSE_OVERHEAD_BYTES = 256

/**
 * JSON with its size class.
 * @param mostBytes octets that the size class must hold, whatever this body needs; 0 if it need hold only this body
 * @throws ProtocolError too_large, also where the body needs more than `mostBytes`
 */
export function jsonResponse(status: number, body: JsonObject, mostBytes = 0): SizedResponse {
  const content = canonicalBytes(body)
  const needed = content.length + RESPONSE_OVERHEAD_BYTES
  if (mostBytes > 0 && needed > mostBytes)
    throw new ProtocolError('too_large', 'an answer is over its own bound')
  return { status, headers: [['content-type', JSON_TYPE]], content, padTo: sizeClass(mostBytes || needed) }
}
