import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { MOST_TASK_BYTES } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import type { TaskApp } from './task-app.js'

/** Bounds on what a peer may hold without having said anything. */
const LIMITS = { maxHeaderSize: 8192, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 1000 }
const MAX_CONNECTIONS = 64
const GRACE_MS = 1000
/** So that the sender of too much lives to read the answer. */
const DROPPED_BYTES = 1_048_576

/** Where a receiver listens; port 0 lets the system choose. */
export type TaskAddress = { readonly host: string; readonly port: number }

/** A receiver's one listener. */
export type TaskListener = {
  /** Where it listens. */
  readonly url: string
  /** Takes no more requests, and gives those under way a second. */
  readonly close: () => Promise<void>
}

/**
 * Listens for HTTP/1.1, one request a connection.
 * @throws AgentError `argument_invalid` where it can't listen
 */
export const openTaskListener = async (address: TaskAddress, app: TaskApp): Promise<TaskListener> => {
  const server = createServer(LIMITS, (request, response) => {
    // What went wrong stays here: nothing of it is said outside.
    answer(app, request, response).catch(() => response.destroy())
  })
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, address)
  return { url: urlOf(server, address), close: () => close(server) }
}

const answer = async (app: TaskApp, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await readBody(request)
  const { method = 'GET', url = '/' } = request
  // The app is given method and target to route by; the body goes beside them.
  const target = new Request(new URL(url.startsWith('/') ? `http://receiver${url}` : 'http://receiver/*'), {
    method: method === 'POST' || method === 'GET' ? method : 'PUT',
  })
  const said = await app.fetch(target, { body })
  response.sendDate = false
  response.shouldKeepAlive = false
  response.writeHead(said.status, Object.fromEntries(said.headers))
  response.end(new Uint8Array(await said.arrayBuffer()))
}

/** The body, or its first octets up to one more than a task may have: the ingress refuses that in its own way. */
const readBody = async (request: IncomingMessage): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of request) {
    const bytes: unknown = part
    if (!(bytes instanceof Uint8Array)) throw new TypeError('a body is octets')
    if (length <= MOST_TASK_BYTES) parts.push(bytes)
    length += bytes.length
    if (length > MOST_TASK_BYTES + DROPPED_BYTES) break
  }
  return Buffer.concat(parts).subarray(0, MOST_TASK_BYTES + 1)
}

const listen = (server: Server, address: TaskAddress): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', () => {
      reject(new AgentError('argument_invalid', `can't listen on ${address.host} port ${address.port}`))
    })
    server.listen(address, resolve)
  })

const urlOf = (server: Server, { host }: TaskAddress): string => {
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(() => {
      server.closeAllConnections()
    }, GRACE_MS).unref()
    server.close(() => {
      resolve()
    })
  })
