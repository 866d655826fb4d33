import {
  encodeRequest,
  fieldValues,
  type KeyConfig,
  OHTTP_REQUEST_TYPE,
  OHTTP_RESPONSE_TYPE,
  OUTER_PATHS,
  paddedRequestLength,
  parseResponse,
  ProtocolError,
  startRequest,
} from '@parley/protocol'
import { type Answered, type ApiRequest, broken, type Exchange, type Send } from '../transport/exchange.js'
import type { AttestedProvider } from './attested-provider.js'

/** How sealed requests reach a provider. */
export type SealedWay = {
  readonly provider: AttestedProvider
  /** It sees size classes and nothing else. */
  readonly send: Send
  readonly nowSeconds: () => number
}

/**
 * Sends each request sealed to the key in a provider's appraised evidence, and opens the answer. Only what runs behind
 * that evidence can read the one and make the other, whoever ends the TLS around them.
 * @see RFC 9458; protocol SPEC §19
 */
export const sendSealed =
  ({ provider, send, nowSeconds }: SealedWay): Send =>
  async (request, signal) => {
    const key = provider.keyAt(nowSeconds())
    if (key === undefined) return broken('identity')
    const sealed = sealRequest(key, request)
    if (sealed === undefined) return broken('request')
    const headers = { 'content-type': OHTTP_REQUEST_TYPE, accept: OHTTP_RESPONSE_TYPE }
    const answer = await send({ path: OUTER_PATHS.ohttp, headers, body: sealed.message }, signal)
    return answer.kind === 'broken' || answer.status !== 200 ? answer : openAnswer(answer, sealed.open)
  }

type Sealed = { readonly message: Uint8Array; readonly open: (message: Uint8Array) => Uint8Array }

/** Undefined where the request is larger than any size class. */
const sealRequest = (key: KeyConfig, { path, headers, body }: ApiRequest): Sealed | undefined => {
  try {
    const { seal, open } = startRequest(key)
    const inner = {
      method: 'POST',
      scheme: 'https',
      authority: 'provider',
      path,
      headers: Object.entries(headers),
      content: body,
    }
    return { message: seal(encodeRequest(inner, paddedRequestLength)), open }
  } catch (error) {
    if (error instanceof ProtocolError) return undefined
    throw error
  }
}

const openAnswer = ({ type, body }: Answered, open: Sealed['open']): Exchange => {
  if (type !== OHTTP_RESPONSE_TYPE) return broken('reply')
  try {
    const { status, headers, content } = parseResponse(open(body))
    const [innerType] = fieldValues(headers, 'content-type')
    const [retryAfter] = fieldValues(headers, 'retry-after')
    return { kind: 'answered', status, type: innerType, retryAfter, body: content }
  } catch (error) {
    if (error instanceof ProtocolError) return broken('reply')
    throw error
  }
}
