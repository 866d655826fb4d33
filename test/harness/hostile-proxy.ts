import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atEnd } from './cleanup.js'

/** A request as the host sees it. */
export type Passing = {
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: Buffer
}

/** An answer as the host sees it. */
export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Passes a request on, changed or not, to the relay or to another one. */
export type Pass = (request: Passing, to?: string) => Promise<Answer>

/** What a host does with a request: the answer that it gives, or null to hang up. */
export type Meddling = (request: Passing, pass: Pass) => Promise<Answer | null>

/** The host between participants and a relay; it does what a test tells it. */
export type HostileProxy = {
  readonly url: string
  /** Every exchange that passed, in order: what the participant sent and was answered. */
  readonly seen: { readonly request: Passing; readonly answer: Answer | null }[]
  /** How many sealed requests participants have sent. */
  readonly sealed: () => number
  /** Passes a request on outside of any exchange: what the host kept, it can send again. */
  readonly pass: Pass
  meddle: Meddling
}

/** Passes everything on. */
export const honest: Meddling = (request, pass) => pass(request)

/** Meddles with what goes to one path, and passes on the rest. */
export const at =
  (path: string, meddle: Meddling): Meddling =>
  (request, pass) =>
    (request.path === path ? meddle : honest)(request, pass)

/** Meddles with the first request to a path only. */
export const once = (path: string, meddle: Meddling): Meddling => {
  let done = false
  return at(path, (request, pass) => {
    if (done) return pass(request)
    done = true
    return meddle(request, pass)
  })
}

export const startHostileProxy = async (relayUrl: string): Promise<HostileProxy> => {
  const pass: Pass = (request, to = relayUrl) => send(request, to)
  const seen: HostileProxy['seen'] = []
  const server = createServer((incoming, outgoing) => {
    void handle(incoming, outgoing)
  })
  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = await read(incoming)
    const answer = await proxy.meddle(request, pass).catch(() => null)
    seen.push({ request, answer })
    if (answer === null) outgoing.destroy()
    else outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    server.close()
    server.closeAllConnections()
  })
  const proxy: HostileProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    sealed: () => seen.filter(({ request }) => request.path === '/ohttp').length,
    pass,
    meddle: honest,
  }
  return proxy
}

const read = async (incoming: IncomingMessage): Promise<Passing> => {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return {
    method: incoming.method ?? '',
    // As the host-proxy does: a query names a replica, and ends here.
    path: (incoming.url ?? '').replace(/\?.*/, ''),
    type: incoming.headers['content-type'] ?? '',
    body: Buffer.concat(parts),
  }
}

// What is of one hop only would contradict what is sent on.
const HOP_HEADERS = ['connection', 'keep-alive', 'content-length']

const send = async ({ method, path, type, body }: Passing, to: string): Promise<Answer> => {
  const response = await fetch(to + path, {
    method,
    headers: type === '' ? {} : { 'content-type': type },
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  })
  const headers = [...response.headers].filter(([name]) => !HOP_HEADERS.includes(name))
  const answer = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: Object.fromEntries(headers), body: answer }
}
