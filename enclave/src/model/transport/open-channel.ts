import type { Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Connect, HostPort } from './connect.js'
import { type Broken, broken } from './exchange.js'

/**
 * What protects a channel. `tls`: it ends in this process, under these roots (PEM) and no other. `loopback`: nothing,
 * for a server inside the same machine. `sealed`: nothing, for what is already sealed to an attested key.
 */
export type Protection =
  | { readonly kind: 'tls'; readonly roots: readonly string[] }
  | { readonly kind: 'loopback' }
  | { readonly kind: 'sealed' }

/** A server, and what protects the way to it. */
export type Endpoint = HostPort & { readonly protection: Protection }

/** The only addresses that are taken for this machine. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', '::1']

/** Opens a channel to a server; never rejects. What is returned is not yet read or written by anybody. */
export const openChannel = async (
  endpoint: Endpoint,
  connect: Connect,
  signal: AbortSignal,
): Promise<Socket | Broken> => {
  const { host, port, protection } = endpoint
  if (protection.kind === 'loopback' && !LOOPBACK.includes(host)) return broken('identity')
  const socket = await connect({ host, port }, signal).catch(() => undefined)
  if (socket === undefined) return broken('connect')
  // An error is also seen by whoever reads or writes; without a listener it would end the process.
  socket.on('error', () => undefined)
  return protection.kind === 'tls' ? secure(socket, host, protection.roots) : socket
}

const secure = (socket: Socket, host: string, roots: readonly string[]): Promise<Socket | Broken> =>
  new Promise((resolve) => {
    const channel = connectTls({
      socket,
      host,
      servername: host,
      // Instead of every other root: those of Node, of the system and of the environment.
      ca: [...roots],
      minVersion: 'TLSv1.2',
      ALPNProtocols: ['http/1.1'],
      // Said here because NODE_TLS_REJECT_UNAUTHORIZED changes what is meant where it is not said.
      rejectUnauthorized: true,
    })
    channel.on('error', (error: NodeJS.ErrnoException) => {
      socket.destroy()
      resolve(broken(isLost(error) ? 'connect' : 'identity'))
    })
    // A stream that ends before the handshake does so without an error.
    socket.once('close', () => {
      channel.destroy()
      resolve(broken('connect'))
    })
    channel.once('secureConnect', () => {
      resolve(channel)
    })
  })

const isLost = (error: NodeJS.ErrnoException): boolean =>
  error.name === 'AbortError' || ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(error.code ?? '')
