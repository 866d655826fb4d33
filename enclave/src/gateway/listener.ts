import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RelayError } from '../relay-error.js'
import { NOT_READY, type OuterResponse } from './outer-response.js'

/** Bounds on what a peer may hold without having said anything. */
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  connectionsCheckingInterval: 5000,
}
const MAX_CONNECTIONS = 2048
const GRACE_MS = 1000

/** A socket that answers 503 until there is somebody to answer. */
export type Listener = {
  /** Where it listens. */
  readonly url: string
  readonly serve: (answer: (request: IncomingMessage) => Promise<OuterResponse>) => void
  /** Takes no more requests, and gives those under way a second. */
  readonly close: () => Promise<void>
}

/**
 * Listens for HTTP/1.1.
 * @param observe is told the status of each answer
 * @throws RelayError `listen_failed`
 */
export async function openListener(
  address: { readonly host: string; readonly port: number },
  observe: (status: number) => void,
): Promise<Listener> {
  let answer: (request: IncomingMessage) => Promise<OuterResponse> = () => Promise.resolve(NOT_READY)
  const server = createServer(LIMITS, (request, response) => {
    answer(request).then(
      (outer) => {
        observe(outer.status)
        send(response, outer)
      },
      // What went wrong stays here: nothing of it is said outside.
      () => {
        observe(500)
        response.destroy()
      },
    )
  })
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, address)
  return {
    url: urlOf(server),
    serve: (next) => (answer = next),
    close: () => close(server),
  }
}

function send(response: ServerResponse, { status, type, body }: OuterResponse): void {
  // Whoever was refused may have sent more than was read; the connection is not used again.
  if (status >= 400) response.shouldKeepAlive = false
  response.sendDate = false
  response.writeHead(status, {
    'content-type': type,
    'content-length': body.length,
    'cache-control': 'no-store',
  })
  response.end(body)
}

function listen(server: Server, address: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', () => {
      reject(new RelayError('listen_failed', `cannot listen on ${address.host} port ${address.port}`))
    })
    server.listen(address, resolve)
  })
}

function urlOf(server: Server): string {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new RelayError('listen_failed', 'no address')
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return `http://${host}:${address.port}`
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(() => {
      server.closeAllConnections()
    }, GRACE_MS).unref()
    server.close(() => {
      resolve()
    })
  })
}
