import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { OHTTP_RESPONSE_TYPE } from '@parley/protocol/routes'

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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the origin has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    lastBody: () => last,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
