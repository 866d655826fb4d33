import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RelayError } from '../relay-error.js'

/** Bounds on what a peer may hold without having said anything. */
const LIMITS = {
  maxHeaderSize: 8192,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
}
const MAX_CONNECTIONS = 2048
const GRACE_MS = 1000

/** A plain HTTP listener whose answers may be streams. */
export type ApiListener = {
  /** Where it listens. */
  readonly url: string
  /** Takes no more requests, and gives those under way a second. */
  readonly close: () => Promise<void>
}

/**
 * Listens for HTTP/1.1.
 * @throws RelayError `listen_failed`
 */
export async function openApiListener(
  address: { readonly host: string; readonly port: number },
  answer: (request: IncomingMessage) => Promise<Response>,
): Promise<ApiListener> {
  const server = createServer(LIMITS, (request, response) => {
    // What went wrong stays here: nothing of it is said outside.
    answer(request)
      .then((said) => send(said, response))
      .catch(() => response.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, address)
  return { url: urlOf(server), close: () => close(server) }
}

async function send(said: Response, response: ServerResponse): Promise<void> {
  // Whoever was refused may have sent more than was read; the connection is not used again.
  if (said.status >= 400) response.shouldKeepAlive = false
  response.writeHead(said.status, Object.fromEntries(said.headers))
  const reader = said.body?.getReader()
  if (reader === undefined) {
    response.end()
    return
  }
  response.on('close', () => void reader.cancel())
  for (let part = await reader.read(); !part.done && !response.destroyed; part = await reader.read())
    if (!response.write(part.value)) await drained(response)
  response.end()
}

const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    if (response.destroyed) resolve()
    const done = (): void => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })

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
