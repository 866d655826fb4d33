import {
  encodeResponse,
  type GatewayKey,
  OHTTP_RESPONSE_TYPE,
  type OpenedRequest,
  openRequest,
  paddedResponseLength,
  ProtocolError,
  responseNonceBytes,
  sha256,
  SIZE_CLASSES,
  toHex,
} from '@parley/protocol'
import type { SizedResponse } from '../session/app.js'
import type { InnerDesk } from './inner-desk.js'
import { BAD_REQUEST, KEY_UNKNOWN, type OuterResponse } from './outer-response.js'

/** Answers encapsulated requests. */
export type OhttpDesk = (message: Uint8Array) => Promise<OuterResponse>

/**
 * The border of the encapsulation: opens a request, has it answered inside, seals the answer. Whatever is wrong
 * before it is open gets one and the same answer.
 * @param random fresh octets, for response nonces
 * @see RFC 9458 §4
 */
export function createOhttpDesk(
  key: GatewayKey,
  inner: InnerDesk,
  random: (size: number) => Uint8Array,
): OhttpDesk {
  return async (message) => {
    const opened = open(key, message)
    if (opened === 'malformed') return BAD_REQUEST
    if (opened === 'key_unknown') return KEY_UNKNOWN
    const answered = await inner(opened.bhttp, { enc: opened.enc, encapsulation: toHex(sha256(message)) })
    return { status: 200, type: OHTTP_RESPONSE_TYPE, body: seal(opened, answered, random) }
  }
}

function open(key: GatewayKey, message: Uint8Array): OpenedRequest | 'malformed' | 'key_unknown' {
  // A message of another size was not padded, and would tell what it holds by its length.
  if (!SIZE_CLASSES.some((size) => size === message.length)) return 'malformed'
  try {
    return openRequest(key, message)
  } catch (error) {
    if (error instanceof ProtocolError)
      return error.code === 'ohttp_key_unknown' ? 'key_unknown' : 'malformed'
    throw error
  }
}

function seal(
  opened: OpenedRequest,
  answered: SizedResponse,
  random: (size: number) => Uint8Array,
): Uint8Array {
  const nonceBytes = responseNonceBytes(opened.aead)
  const bhttp = encodeResponse(answered, paddedResponseLength(nonceBytes, answered.padTo))
  return opened.sealResponse(bhttp, random(nonceBytes))
}
