import { createServer } from 'node:http'
import { OHTTP_REQUEST_TYPE, OHTTP_RESPONSE_TYPE } from '@parley/protocol'
import { listenOnLoopback } from '../loopback.js'
import type { Exchange } from './record-exchanges.js'

/** A node:http server that reads a request and answers with as many bytes as it is asked for, and `fetch` against it. */
export type BareExchanges = { readonly repeat: () => Promise<void>; readonly stop: () => void }

/** Makes the same exchanges again, with nobody behind them. */
export async function startBareExchanges(exchanges: readonly Exchange[]): Promise<BareExchanges> {
  const server = createServer((incoming, outgoing) => {
    const size = Number(incoming.url?.slice(1))
    incoming.resume().on('end', () => {
      outgoing.writeHead(200, { 'content-type': OHTTP_RESPONSE_TYPE, 'content-length': size })
      outgoing.end(Buffer.alloc(size))
    })
  })
  const url = await listenOnLoopback(server)
  const headers = { 'content-type': OHTTP_REQUEST_TYPE }
  const one = async ({ body, answerBytes }: Exchange): Promise<void> => {
    const response = await fetch(`${url}/${answerBytes}`, {
      method: 'POST',
      headers,
      body,
    })
    await response.arrayBuffer()
  }
  return {
    repeat: async () => {
      await Promise.all(exchanges.map(one))
    },
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
