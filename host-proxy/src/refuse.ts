import { OHTTP_KEY_PROBLEM, PROBLEM_TYPE } from '@parley/protocol/routes'
import type { Exchange } from './exchange.js'

const PROBLEM = JSON.stringify({ type: OHTTP_KEY_PROBLEM, title: 'key identifier unknown' })

/**
 * Answers without a reason: each failure before decapsulation looks the same (SPEC §10).
 * @param status 400; 429 over the rate; 502 where the replica failed; 503 where there is none
 */
export const refuse = (exchange: Exchange, status: 400 | 429 | 502 | 503): void => {
  answerPlainly(exchange, { status, type: 'text/plain', body: 'refused\n' })
}

/** Answers that no live replica holds the key. It is only a hint, as it is not authenticated (RFC 9458 §5.3). */
export const refuseUnknownKey = (exchange: Exchange): void => {
  answerPlainly(exchange, { status: 400, type: PROBLEM_TYPE, body: PROBLEM })
}

/** What the proxy itself answers. */
export type PlainAnswer = { readonly status: number; readonly type: string; readonly body: string }

/** Sends an answer of the proxy's own; cuts the connection where another has already begun. */
export const answerPlainly = (
  { incoming, outgoing, seen }: Exchange,
  { status, type, body }: PlainAnswer,
): void => {
  if (outgoing.headersSent) {
    outgoing.destroy()
    return
  }
  // What is left of a refused body shall not be read as the next request.
  if (!incoming.complete) outgoing.setHeader('connection', 'close')
  seen.responseBytes = body.length
  outgoing.writeHead(status, { 'content-type': type, 'content-length': body.length }).end(body)
}
