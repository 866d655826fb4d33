import { connect, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Limits } from '../limits.js'
import type { EgressHost } from './egress-host.js'
import { refuseTunnel } from './refuse-tunnel.js'

/** One tunnel to open. */
export type Tunnel = {
  readonly stream: Duplex
  /** What the relay sent after its request. */
  readonly head: Uint8Array
  readonly host: EgressHost
  readonly limits: Pick<Limits, 'tunnel_idle_ms' | 'tunnel_connect_ms'>
}

/** What became of a tunnel, and the octets that went each way. */
export type TunnelEnd = {
  readonly status: number
  readonly sentBytes: number
  readonly receivedBytes: number
}

/** Connects and pipes blindly in both directions; resolves when the way to the host is closed. */
export const openTunnel = ({ stream, head, host, limits }: Tunnel): Promise<TunnelEnd> =>
  new Promise((resolve) => {
    const remote = connect({ ...addressOf(host), allowHalfOpen: true })
    let status: 200 | 502 = 502
    // At once: what is put back after the end of a stream is lost.
    if (head.length > 0) stream.unshift(head)
    // The listener's patience with a client is not the one for a tunnel.
    if (stream instanceof Socket) stream.setTimeout(0)
    remote.setTimeout(limits.tunnel_connect_ms, () => remote.destroy())
    remote.once('connect', () => {
      status = 200
      // Silence of both: what one of them sends counts for the other, as it is written to it.
      remote.setTimeout(limits.tunnel_idle_ms)
      stream.write('HTTP/1.1 200 Connection established\r\n\r\n')
      stream.pipe(remote)
      remote.pipe(stream)
    })
    // An error is followed by the end.
    remote.on('error', () => undefined)
    stream.on('error', () => undefined)
    stream.on('close', () => remote.destroy())
    remote.on('close', () => {
      if (!stream.writableEnded) leave(stream, status)
      resolve({ status, sentBytes: remote.bytesWritten, receivedBytes: remote.bytesRead })
    })
  })

const addressOf = ({ host, port }: EgressHost): EgressHost => ({
  host: host.replace(/^\[(.*)\]$/, '$1'),
  port,
})

/** A tunnel that never was is answered; one that was is cut. */
const leave = (stream: Duplex, status: 200 | 502): void => {
  if (status === 200) stream.destroy()
  else refuseTunnel(stream, status)
}
