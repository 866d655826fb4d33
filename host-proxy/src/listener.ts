import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Address } from './config.js'
import type { Limits } from './limits.js'
import { UnderWay } from './under-way.js'

/** A listener that has started. */
export type Listener = {
  /** Its origin, `http://host:port`. */
  readonly url: string
  /** Takes no more requests, waits for the open ones as long as the grace lasts, then cuts them. */
  readonly stop: () => Promise<void>
}

/** Takes over the stream of a CONNECT request. */
export type ConnectListener = (incoming: IncomingMessage, stream: Duplex, head: Uint8Array) => void

/** Starts a listener that no slow, greedy or silent client can hold. */
export const listen = async (
  { host, port }: Address,
  limits: Limits,
  handler: RequestListener,
  onConnect?: ConnectListener,
): Promise<Listener> => {
  const server = createServer(
    {
      maxHeaderSize: limits.max_header_bytes,
      headersTimeout: limits.headers_timeout_ms,
      requestTimeout: limits.request_timeout_ms,
      connectionsCheckingInterval: Math.max(20, limits.headers_timeout_ms / 4),
      keepAliveTimeout: limits.keep_alive_ms,
    },
    handler,
  )
  const exchanges = exchangesOf(server)
  // Without a listener, Node closes the connection of a CONNECT request.
  if (onConnect !== undefined) server.on('connect', onConnect)
  server.maxConnections = limits.max_connections
  // A client that stops reading its answer; longer than a replica may be silent, so that 502 comes first.
  server.setTimeout(2 * limits.upstream_timeout_ms)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve)
  })
  return { url: originOf(server.address()), stop: () => stop(server, exchanges, limits.grace_ms) }
}

const originOf = (address: AddressInfo | string | null): string => {
  if (address === null || typeof address === 'string') throw new Error('the listener has no port')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

/** Exchanges rather than connections: one that is silent shall not hold up a stop. */
const exchangesOf = (server: Server): UnderWay<ServerResponse> => {
  const exchanges = new UnderWay<ServerResponse>()
  server.on('request', (_, outgoing) => {
    exchanges.begin(outgoing)
    outgoing.once('close', () => {
      exchanges.end(outgoing)
    })
  })
  return exchanges
}

const stop = async (server: Server, exchanges: UnderWay<ServerResponse>, graceMs: number): Promise<void> => {
  const closed = new Promise((resolve) => server.close(resolve))
  await exchanges.noneWithin(graceMs)
  server.closeAllConnections()
  await closed
}
