import { Agent, request } from 'node:http'
import { OHTTP_REQUEST_TYPE, OUTER_PATHS } from '@parley/protocol/routes'

/** One client with a few connections that it keeps. */
export type Client = {
  /** Posts the body, waits for the whole answer and gives its status and size. */
  readonly post: (url: string, body: Uint8Array) => Promise<{ status: number; bytes: number }>
  readonly stop: () => void
}

/** @param connections how many it keeps to one server */
export function startClient(connections: number): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const post: Client['post'] = (url, body) =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': OHTTP_REQUEST_TYPE, 'content-length': body.length }
      const sent = request(url + OUTER_PATHS.ohttp, { method: 'POST', agent, headers }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Uint8Array) => (bytes += chunk.length))
        response.on('error', reject)
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, bytes })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    post,
    stop: () => {
      agent.destroy()
    },
  }
}
