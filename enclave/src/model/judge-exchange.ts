import { parseJson, ProtocolError } from '@parley/protocol'
import type { ProviderApi } from './api/provider-api.js'
import { failed } from './api/reply.js'
import type { ModelFailure, ModelReply } from './model-provider.js'
import type { Answered, Exchange } from './transport/exchange.js'

/** What one attempt came to, and whether another one may do better. */
export type Attempt = {
  readonly reply: ModelReply
  readonly mayRetry: boolean
  /** As the server sent it. */
  readonly retryAfter: string | undefined
}

const JSON_MEDIA_TYPE = /^application\/json(?:\s*;|$)/i

/** Reads what became of one attempt. Of the server's words nothing gets further than the API's own parser. */
export const judgeExchange = (exchange: Exchange, api: ProviderApi): Attempt => {
  if (exchange.kind === 'broken') {
    const reply = failed(exchange.at === 'reply' ? 'malformed' : 'unreachable')
    // A request that may have been read is not sent again: it may be paid for, and its answer may be on the way.
    return { reply, mayRetry: exchange.at === 'connect', retryAfter: undefined }
  }
  if (exchange.status === 200)
    return { reply: replyOf(exchange, api), mayRetry: false, retryAfter: undefined }
  const cause = causeOf(exchange.status)
  const mayRetry = cause === 'rate_limited' || cause === 'server'
  return { reply: failed(cause), mayRetry, retryAfter: exchange.retryAfter }
}

const causeOf = (status: number): ModelFailure => {
  if (status === 401 || status === 403) return 'unauthorized'
  if (status === 429) return 'rate_limited'
  return status >= 500 ? 'server' : 'rejected'
}

const replyOf = ({ type = '', body }: Answered, api: ProviderApi): ModelReply => {
  if (!JSON_MEDIA_TYPE.test(type)) return failed('malformed')
  try {
    return api.reply(parseJson(body))
  } catch (error) {
    if (error instanceof ProtocolError) return failed('malformed')
    throw error
  }
}
