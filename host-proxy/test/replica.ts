import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DEFAULT_LIMITS, type Limits, type Proxy, type Sighting, startProxy } from '../src/index.js'
import { onTestFinished } from 'vitest'

/** What a replica was asked, and by which connection. */
export type Received = {
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly port: number | undefined
}

export const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

export const listenOn = async (listener: RequestListener, host = '127.0.0.1'): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://${host.includes(':') ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`
}

/** A replica that notes what it is asked and answers as told. */
export const startReplica = async (
  answer: (body: Buffer, outgoing: ServerResponse) => void,
): Promise<{ url: string; received: Received[] }> => {
  const received: Received[] = []
  const url = await listenOn((incoming, outgoing) => {
    const { url, headers, socket } = incoming
    readBody(incoming).then(
      (body) => {
        received.push({ url, headers, body, port: socket.remotePort })
        answer(body, outgoing)
      },
      () => undefined,
    )
  })
  return { url, received }
}

/** A replica that answers every request with these bytes. */
export const startEcho = (response: Uint8Array): ReturnType<typeof startReplica> =>
  startReplica((_, outgoing) => {
    outgoing.writeHead(200, {
      'content-type': 'message/ohttp-res',
      'content-length': response.length,
      'set-cookie': 'a=b',
      server: 'secret',
    })
    outgoing.end(response)
  })

/** A running proxy with the sightings that it logged and a clock that the test turns. */
export const startTestProxy = async (
  limits: Partial<Limits> = {},
): Promise<{ proxy: Proxy; sightings: Sighting[]; clock: { nowMs: number } }> => {
  const sightings: Sighting[] = []
  const clock = { nowMs: 1_700_000_000_123 }
  const address = { host: '127.0.0.1', port: 0 }
  const proxy = await startProxy(
    { listen: address, control: address, limits: { ...DEFAULT_LIMITS, ...limits } },
    { log: (sighting) => void sightings.push(sighting), clock: () => clock.nowMs },
  )
  onTestFinished(() => proxy.stop())
  return { proxy, sightings, clock }
}

export const register = async (proxy: Proxy, key_id: number, url: string): Promise<number> => {
  const response = await fetch(`${proxy.controlUrl}/replicas`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key_id, url }),
  })
  return response.status
}

export const seal = (
  proxy: Proxy,
  body: Uint8Array | string,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(`${proxy.url}/ohttp`, {
    method: 'POST',
    headers: { 'content-type': 'message/ohttp-req', ...headers },
    // A copy of its own memory, as fetch wants it.
    body: typeof body === 'string' ? body : new Uint8Array(body),
    signal,
  })

/** Waits until as many sightings have been logged. */
export const seen = async (sightings: readonly Sighting[], count: number): Promise<void> => {
  while (sightings.length < count) await new Promise((resolve) => setImmediate(resolve))
}
