import { type Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { MAX_MESSAGE_BYTES } from '@parley/protocol/routes'
import { declaredBytes, type Exchange } from './exchange.js'
import { refuse } from './refuse.js'
import type { Replica } from './replicas.js'
import type { Asked } from './route.js'

/** How the proxy reaches its replicas. */
export type Upstream = { readonly agent: Agent; readonly timeoutMs: number }

/** One request to one replica. */
export type Passage = {
  readonly asked: Asked
  readonly replica: Replica
  /** What has already been read of the body. */
  readonly head: Uint8Array
}

/**
 * Streams the body to the replica and its answer back. There is exactly one attempt: a request that may have
 * reached a replica is never sent again, since only its sender may decide that.
 */
export const pipeToReplica = (
  exchange: Exchange,
  { asked, replica, head }: Passage,
  { agent, timeoutMs }: Upstream,
): void => {
  const { incoming, outgoing } = exchange
  const upstream = request({
    // A URL keeps the brackets of an IPv6 address; a socket takes it without.
    host: replica.url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: replica.url.port,
    path: asked.path,
    method: incoming.method,
    headers: allowedHeaders(incoming),
    agent,
    timeout: timeoutMs,
  })
  const giveUp = (status: 400 | 502): void => {
    incoming.unpipe(upstream)
    upstream.destroy()
    refuse(exchange, status)
  }
  upstream.on('response', (response) => {
    passBack(exchange, response)
  })
  upstream.on('timeout', () => {
    giveUp(502)
  })
  upstream.on('error', () => {
    if (!outgoing.destroyed && !outgoing.writableEnded) giveUp(502)
  })
  outgoing.on('close', () => upstream.destroy())
  if (declaredBytes(incoming) === undefined) countBody(exchange, { asked, head }, giveUp)
  upstream.write(head)
  incoming.pipe(upstream)
}

/** A chunked body declares no size, so its cap is held as it flows. */
const countBody = (
  { incoming, seen }: Exchange,
  { asked, head }: Pick<Passage, 'asked' | 'head'>,
  giveUp: (status: 400) => void,
): void => {
  seen.requestBytes = head.length
  const count = (chunk: Uint8Array): void => {
    seen.requestBytes += chunk.length
    if (seen.requestBytes <= asked.maxBodyBytes) return
    incoming.off('data', count)
    giveUp(400)
  }
  incoming.on('data', count)
}

const passBack = (exchange: Exchange, response: IncomingMessage): void => {
  const { outgoing, seen } = exchange
  const declared = declaredBytes(response)
  if (declared !== undefined && declared > MAX_MESSAGE_BYTES) {
    response.destroy()
    refuse(exchange, 502)
    return
  }
  seen.responseBytes = declared ?? 0
  if (declared === undefined) countAnswer(exchange, response)
  response.on('error', () => {
    if (!outgoing.writableEnded) outgoing.destroy()
  })
  outgoing.writeHead(response.statusCode ?? 502, allowedHeaders(response))
  response.pipe(outgoing)
}

const countAnswer = ({ outgoing, seen }: Exchange, response: IncomingMessage): void => {
  response.on('data', (chunk: Uint8Array) => {
    seen.responseBytes += chunk.length
    if (seen.responseBytes > MAX_MESSAGE_BYTES) outgoing.destroy()
  })
}

/** The only headers that cross, in either direction: no cookie, authorization, forwarding or other one does. */
const allowedHeaders = ({ headers }: IncomingMessage): OutgoingHttpHeaders => {
  const allowed: OutgoingHttpHeaders = {}
  if (headers['content-type'] !== undefined) allowed['content-type'] = headers['content-type']
  if (headers['content-length'] !== undefined) allowed['content-length'] = headers['content-length']
  return allowed
}
