import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { OHTTP_RESPONSE_TYPE } from '@parley/protocol/routes'
import { listenOnLoopback } from '../loopback.js'

/** What stands behind a forwarder. */
export type Origin = {
  readonly url: string
  /** SHA-256 of the last request's body, in hex. */
  readonly lastBody: () => string
  readonly stop: () => void
}

/** Answers every request with one and the same body, once it has read the whole request. */
export async function startOrigin(answer: Uint8Array): Promise<Origin> {
  let last = ''
  const server = createServer((incoming, outgoing) => {
    const digest = createHash('sha256')
    incoming.on('data', (chunk: Uint8Array) => digest.update(chunk))
    incoming.on('end', () => {
      last = digest.digest('hex')
      outgoing.writeHead(200, { 'content-type': OHTTP_RESPONSE_TYPE, 'content-length': answer.length })
      outgoing.end(answer)
    })
  })
  const url = await listenOnLoopback(server)
  return {
    url,
    lastBody: () => last,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
