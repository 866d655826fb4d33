import { keyIdOf } from '@parley/protocol/routes'
import type { Exchange } from './exchange.js'
import { onFirstChunk } from './on-first-chunk.js'
import { pipeToReplica, type Upstream } from './pipe-to-replica.js'
import { refuse, refuseUnknownKey } from './refuse.js'
import type { Replicas } from './replicas.js'
import type { Asked } from './route.js'

/** Where requests go. */
export type Ways = { readonly replicas: Replicas; readonly upstream: Upstream }

/**
 * The first stage of every sealed input: a participant's request meets the untrusted host here. The proxy reads
 * one octet, the id of the key that the request was sealed to, chooses the replica that holds that key, and
 * pipes the rest without looking at it.
 */
export const forward = (exchange: Exchange, asked: Asked, { replicas, upstream }: Ways): void => {
  onFirstChunk(exchange.incoming, (head) => {
    const keyId = keyIdOf(head)
    if (keyId === undefined) {
      refuse(exchange, 400)
      return
    }
    exchange.seen.keyId = keyId
    const replica = replicas.byKeyId(keyId)
    if (replica === undefined) refuseUnknownKey(exchange)
    else pipeToReplica(exchange, { asked, replica, head }, upstream)
  })
}
