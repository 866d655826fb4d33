import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HttpServer, openHttpServer } from '../gateway/http-server.js'

/**
 * Listens for HTTP/1.1 with answers that may be streams.
 * @throws RelayError `listen_failed`
 */
export function openApiListener(
  address: { readonly host: string; readonly port: number },
  answer: (request: IncomingMessage) => Promise<Response>,
): Promise<HttpServer> {
  return openHttpServer(address, (request, response) => {
    // What went wrong stays here: nothing of it is said outside.
    answer(request)
      .then((said) => send(said, response))
      .catch(() => response.destroy())
  })
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
