import { once } from 'node:events'
import { createServer, type Server } from 'node:tls'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { connectDirectly } from '../../../src/model/transport/connect.js'
import { broken } from '../../../src/model/transport/exchange.js'
import { type Endpoint, openChannel } from '../../../src/model/transport/open-channel.js'
import { HOST, theAuthority, toLoopback } from '../doubles/open-double.js'
import { never } from '../doubles/requests.js'
import { makeTlsAuthority, type ServerIdentity } from '../doubles/tls-authority.js'

const DAY_MS = 86_400_000

const listen = async (server: Server): Promise<number> => {
  server.on('tlsClientError', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

const serve = (identity: ServerIdentity, options: object = {}): Promise<number> =>
  listen(createServer({ ...identity, ...options }, (socket) => socket.on('error', () => undefined)))

const endpoint = (roots: readonly string[], host = HOST): Endpoint => ({
  host,
  port: 443,
  protection: { kind: 'tls', roots },
})

const open = async (port: number, to: Endpoint) => {
  const channel = await openChannel(to, toLoopback(port), never())
  if (!('kind' in channel)) onTestFinished(() => void channel.destroy())
  return channel
}

afterEach(() => {
  vi.unstubAllEnvs()
})

test('a channel to the named host under a pinned root is open', async () => {
  const { root, issue } = await theAuthority()
  const channel = await open(await serve(await issue(HOST)), endpoint([root]))
  expect(channel).toMatchObject({ encrypted: true, authorized: true })
})

test('a root among several is enough', async () => {
  const { root, issue } = await theAuthority()
  const other = await makeTlsAuthority('Another authority')
  const channel = await open(await serve(await issue(HOST)), endpoint([other.root, root]))
  expect(channel).toMatchObject({ authorized: true })
})

test('a certificate of another host breaks at the identity', async () => {
  const { root, issue } = await theAuthority()
  const port = await serve(await issue('other.model.test'))
  expect(await open(port, endpoint([root]))).toEqual(broken('identity'))
})

test('a certificate for a name under the host breaks at the identity', async () => {
  const { root, issue } = await theAuthority()
  const port = await serve(await issue(`a.${HOST}`))
  expect(await open(port, endpoint([root]))).toEqual(broken('identity'))
})

test('a root that is not pinned breaks at the identity, also one of the same name', async () => {
  const { issue } = await theAuthority()
  const pinned = await makeTlsAuthority()
  const port = await serve(await issue(HOST))
  expect(await open(port, endpoint([pinned.root]))).toEqual(broken('identity'))
})

test('without a pinned root nothing is trusted', async () => {
  const { issue } = await theAuthority()
  expect(await open(await serve(await issue(HOST)), endpoint([]))).toEqual(broken('identity'))
})

test.each([
  ['expired', -2 * DAY_MS, -DAY_MS],
  ['not yet valid', DAY_MS, 2 * DAY_MS],
])('a certificate that is %s breaks at the identity', async (_, from, to) => {
  const { root, issue } = await theAuthority()
  const now = Date.now()
  const identity = await issue(HOST, { notBeforeMs: now + from, notAfterMs: now + to })
  expect(await open(await serve(identity), endpoint([root]))).toEqual(broken('identity'))
})

test('a server that speaks TLS 1.1 at most breaks at the identity', async () => {
  const { root, issue } = await theAuthority()
  const old = { maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }
  expect(await open(await serve(await issue(HOST), old), endpoint([root]))).toEqual(broken('identity'))
})

test('NODE_TLS_REJECT_UNAUTHORIZED changes nothing', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const { issue } = await theAuthority()
  const pinned = await makeTlsAuthority()
  expect(await open(await serve(await issue(HOST)), endpoint([pinned.root]))).toEqual(broken('identity'))
})

test('a port that nobody listens on breaks at the connection', async () => {
  const { root, issue } = await theAuthority()
  const server = createServer(await issue(HOST))
  const port = await listen(server)
  await new Promise((resolve) => server.close(resolve))
  expect(await open(port, endpoint([root]))).toEqual(broken('connect'))
})

test('a server that hangs up during the handshake breaks at the connection', async () => {
  const { root, issue } = await theAuthority()
  const server = createServer(await issue(HOST))
  server.on('connection', (socket: Socket) => socket.destroy())
  expect(await open(await listen(server), endpoint([root]))).toEqual(broken('connect'))
})

test('a server that never answers the handshake is left when the signal is aborted', async () => {
  const { root, issue } = await theAuthority()
  const server = createServer(await issue(HOST))
  server.removeAllListeners('connection')
  const port = await listen(server)
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const cut = new AbortController()
  const opening = openChannel(endpoint([root]), toLoopback(port), cut.signal)
  const [socket] = await accepted
  const gone = once(socket.on('error', () => undefined).resume(), 'close')
  cut.abort()
  expect(await opening).toEqual(broken('connect'))
  await gone
})

test('an aborted signal closes a channel that is open', async () => {
  const { root, issue } = await theAuthority()
  const port = await serve(await issue(HOST))
  const cut = new AbortController()
  const channel = await openChannel(endpoint([root]), toLoopback(port), cut.signal)
  if ('kind' in channel) throw new Error('no channel')
  const closed = new Promise((resolve) => channel.once('close', resolve))
  cut.abort()
  await closed
})

test('a signal that was aborted before breaks at the connection', async () => {
  const { root, issue } = await theAuthority()
  const port = await serve(await issue(HOST))
  expect(await openChannel(endpoint([root]), toLoopback(port), AbortSignal.abort())).toEqual(
    broken('connect'),
  )
})

test.each(['localhost', '10.0.0.1', '127.0.0.2', HOST])('nothing goes without TLS to %s', async (host) => {
  const to: Endpoint = { host, port: 80, protection: { kind: 'loopback' } }
  const asked: string[] = []
  const connect = (each: { host: string; port: number }) => {
    asked.push(each.host)
    return connectDirectly({ host: '127.0.0.1', port: 9 }, never())
  }
  expect(await openChannel(to, connect, never())).toEqual(broken('identity'))
  expect(asked).toEqual([])
})
