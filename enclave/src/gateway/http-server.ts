import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RelayError } from '../relay-error.js'

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

/** A server that listens. */
export type HttpServer = {
  /** Where it listens. */
  readonly url: string
  /** Takes no more requests, and gives those under way a second. */
  readonly close: () => Promise<void>
}

type Address = { readonly host: string; readonly port: number }

/**
 * Listens for HTTP/1.1, within bounds.
 * @throws RelayError `listen_failed`
 */
export async function openHttpServer(address: Address, answer: RequestListener): Promise<HttpServer> {
  const server = createServer(LIMITS, answer)
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, address)
  return { url: urlOf(server), close: () => close(server) }
}

function listen(server: Server, address: Address): Promise<void> {
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
