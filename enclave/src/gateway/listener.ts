import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpServer, openHttpServer } from './http-server.js'
import { NOT_READY, type OuterResponse } from './outer-response.js'

/** A socket that answers 503 until there is somebody to answer. */
export type Listener = HttpServer & {
  readonly serve: (answer: (request: IncomingMessage) => Promise<OuterResponse>) => void
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
  const server = await openHttpServer(address, (request, response) => {
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
  return { ...server, serve: (next) => (answer = next) }
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
