import { request } from 'node:http'
import { connect as connectTcp, Socket } from 'node:net'
import type { Connect, HostPort } from './connect.js'

const MAX_HEADER_BYTES = 4096

/**
 * The way of the confidential lane: through the host-proxy's tunnel, which sees where a stream goes and how long it is.
 * @param proxy the host-proxy's control listener
 * @see protocol SPEC §19; RFC 9110 §9.3.6
 */
export const connectByTunnel =
  (proxy: HostPort): Connect =>
  (to, signal) =>
    new Promise((resolve, reject) => {
      const target = authority(to)
      const socket = connectTcp({ ...proxy, signal })
      // Whatever else looks after the stream, its end is the end of the wait.
      socket.on('error', reject)
      const asked = request({
        method: 'CONNECT',
        path: target,
        headers: { host: target },
        maxHeaderSize: MAX_HEADER_BYTES,
        // Instead of an agent, so that nothing of the environment chooses another way.
        createConnection: () => socket,
      })
      asked.on('error', reject)
      asked.once('connect', ({ statusCode }, stream, head) => {
        // Nobody speaks to a TLS client before it has spoken.
        if (statusCode === 200 && head.length === 0 && stream instanceof Socket) resolve(stream)
        else {
          stream.destroy()
          reject(new Error('the tunnel was refused'))
        }
      })
      asked.end()
    })

const authority = ({ host, port }: HostPort): string => `${host.includes(':') ? `[${host}]` : host}:${port}`
