import type { Exchange } from './exchange.js'
import type { Ways } from './forward.js'
import { onFirstChunk } from './on-first-chunk.js'
import { pipeToReplica } from './pipe-to-replica.js'
import { refuse, refuseUnknownKey } from './refuse.js'
import type { Asked } from './route.js'

/** Forwards a request for evidence to the replica that its query names, or to any. */
export const forwardEvidence = (exchange: Exchange, asked: Asked, { replicas, upstream }: Ways): void => {
  exchange.seen.keyId = asked.keyId ?? null
  onFirstChunk(exchange.incoming, (head) => {
    const replica = asked.keyId === undefined ? replicas.any() : replicas.byKeyId(asked.keyId)
    if (replica !== undefined) pipeToReplica(exchange, { asked, replica, head }, upstream)
    else if (asked.keyId === undefined) refuse(exchange, 503)
    else refuseUnknownKey(exchange)
  })
}
