import type { IncomingMessage, ServerResponse } from 'node:http'
import { JSON_TYPE } from '@parley/protocol/routes'
import type { Clock } from './clock.js'
import { declaredBytes, type Exchange, openExchange } from './exchange.js'
import { forward, type Ways } from './forward.js'
import { forwardEvidence } from './forward-evidence.js'
import type { Log } from './log.js'
import { answerPlainly, refuse } from './refuse.js'
import { readRoute } from './route.js'
import type { TokenBuckets } from './token-buckets.js'

/** What the outer listener works with. */
export type Outer = Ways & {
  readonly buckets: TokenBuckets
  readonly log: Log
  readonly clock: Clock
  readonly tickMs: number
}

/** Handles each request of the outer listener: rate, route, size, then one of the three ways on. */
export const outerHandler =
  (outer: Outer) =>
  (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    const tick = Math.floor(outer.clock() / outer.tickMs) * outer.tickMs
    handle(openExchange({ incoming, outgoing }, { log: outer.log, tick }), outer)
  }

const handle = (exchange: Exchange, outer: Outer): void => {
  const asked = readRoute(exchange.incoming)
  if (asked !== undefined) exchange.seen.route = asked.route
  if (!outer.buckets.take(exchange.incoming.socket.remoteAddress ?? '')) refuse(exchange, 429)
  else if (asked === undefined || (declaredBytes(exchange.incoming) ?? 0) > asked.maxBodyBytes)
    refuse(exchange, 400)
  else if (asked.route === 'health') answerHealth(exchange, outer.replicas.count())
  else if (asked.route === 'evidence') forwardEvidence(exchange, asked, outer)
  else forward(exchange, asked, outer)
}

const answerHealth = (exchange: Exchange, replicas: number): void => {
  answerPlainly(exchange, {
    status: replicas > 0 ? 200 : 503,
    type: JSON_TYPE,
    body: JSON.stringify({ replicas }),
  })
}
