import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How the double answers. `hang` never ends its answer. */
export type KdsAnswer =
  | Uint8Array
  | { readonly status: number; readonly retryAfter?: string; readonly location?: string }
  | 'hang'
  | 'reset'

/** Answers to a path, in their order; the last one goes on. */
export type KdsTable = Record<string, KdsAnswer[]>

export type KdsServer = {
  readonly url: string
  /** Paths with their queries, as asked. */
  readonly asked: string[]
  readonly table: KdsTable
  readonly close: () => Promise<void>
}

const send = (response: ServerResponse, answer: KdsAnswer): void => {
  if (answer === 'reset') {
    response.destroy()
  } else if (answer === 'hang') {
    response.writeHead(200)
    response.write('the first bytes, and no more')
  } else if (answer instanceof Uint8Array) {
    response.writeHead(200, { 'content-type': 'application/pkix-cert' }).end(answer)
  } else {
    const { status, retryAfter, location } = answer
    response.writeHead(status, {
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      ...(location === undefined ? {} : { location }),
    })
    response.end('not a certificate')
  }
}

/** AMD's key distribution service on this machine: its paths, and its moods. */
export const serveKds = async (table: KdsTable): Promise<KdsServer> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const answers = table[path] ?? []
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    send(response, answer ?? { status: 404 })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    table,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
