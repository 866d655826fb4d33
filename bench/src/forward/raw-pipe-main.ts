import { Agent, createServer, request } from 'node:http'
import { listenOnLoopback } from '../loopback.js'
import { serveForwarder } from './serve-forwarder.js'

// The floor: two node:http streams piped into each other, and nothing else.

const [origin = ''] = process.argv.slice(2)
const { hostname: host, port } = new URL(origin)
const agent = new Agent({ keepAlive: true })

const server = createServer((incoming, outgoing) => {
  const { method, url: path, headers } = incoming
  const upstream = request({ host, port, method, path, headers, agent }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  upstream.on('error', () => outgoing.destroy())
  incoming.pipe(upstream)
})

serveForwarder({
  url: await listenOnLoopback(server),
  controlUrl: null,
  stop: () => {
    server.close()
    server.closeAllConnections()
    agent.destroy()
    return Promise.resolve()
  },
})
