import { Agent, createServer, request } from 'node:http'
import { OHTTP_REQUEST_TYPE, OHTTP_RESPONSE_TYPE } from '@parley/protocol'
import { listenOnLoopback } from '../loopback.js'
import type { Exchange } from './record-exchanges.js'

/** A node:http server that reads a request and answers with as many bytes as it is asked for, and node:http against it. */
export type BareExchanges = { readonly repeat: () => Promise<void>; readonly stop: () => void }

const post = (url: string, agent: Agent, { bodyBytes, answerBytes }: Exchange): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': OHTTP_REQUEST_TYPE, 'content-length': bodyBytes }
    request(`${url}/${answerBytes}`, { method: 'POST', agent, headers })
      .on('response', (incoming) => incoming.on('end', resolve).on('error', reject).resume())
      .on('error', reject)
      .end(Buffer.alloc(bodyBytes))
  })

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
  const agent = new Agent({ keepAlive: true })
  return {
    repeat: async () => {
      await Promise.all(exchanges.map((exchange) => post(url, agent, exchange)))
    },
    stop: () => {
      agent.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}
