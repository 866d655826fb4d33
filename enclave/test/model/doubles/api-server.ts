import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { ServerIdentity } from './tls-authority.js'

/** What a server was asked. */
export type Heard = {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** What a server says. */
export type Told = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

/** Answers by a value, or does something else with the response. */
export type Answerer = (heard: Heard, response: ServerResponse) => Told | undefined

/** A server that runs, and what it has been asked. */
export type ApiServer = { readonly port: number; readonly heard: Heard[] }

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

/** Starts a server on loopback, over TLS where it has an identity. */
export const startApiServer = async (answer: Answerer, identity?: ServerIdentity): Promise<ApiServer> => {
  const heard: Heard[] = []
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    textOf(request).then(
      (text) => {
        const asked = {
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          text,
        }
        heard.push(asked)
        const told = answer(asked, response)
        if (told !== undefined)
          response
            .writeHead(told.status, { 'content-type': 'application/json', ...told.headers })
            .end(told.body)
      },
      () => undefined,
    )
  }
  const server =
    identity === undefined ? createHttpServer(onRequest) : createHttpsServer({ ...identity }, onRequest)
  server.on('clientError', (_, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { port: (server.address() as AddressInfo).port, heard }
}

/** Waits until a server has been asked this often. */
export const heardBy = async ({ heard }: ApiServer, count: number): Promise<void> => {
  while (heard.length < count) await new Promise((resolve) => setImmediate(resolve))
}
