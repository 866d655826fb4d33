import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_LIMITS, type Sighting, startProxy } from '../../../../host-proxy/src/index.js'
import { systemClock } from '../../../src/clock.js'
import { openModelProvider } from '../../../src/model/open-model-provider.js'
import { connectByTunnel } from '../../../src/model/transport/connect-by-tunnel.js'
import { startApiServer } from '../doubles/api-server.js'
import { DOUBLES, fresh, KEY, providerOf, theAuthority } from '../doubles/open-double.js'
import { DRAFT, never, REQUEST } from '../doubles/requests.js'

const LOCALHOST = 'localhost'

/** The real host-proxy, with one host on its list. */
const startTunnel = async (port: number) => {
  const sightings: Sighting[] = []
  const address = { host: '127.0.0.1', port: 0 }
  const proxy = await startProxy(
    {
      listen: address,
      control: address,
      egress: [{ host: LOCALHOST, port }],
      limits: { ...DEFAULT_LIMITS, grace_ms: 20 },
    },
    { log: (sighting) => void sightings.push(sighting) },
  )
  onTestFinished(() => proxy.stop())
  const control = { host: '127.0.0.1', port: Number(new URL(proxy.controlUrl).port) }
  return { connect: connectByTunnel(control), sightings, stop: () => proxy.stop() }
}

test('TLS ends in the relay: the host-proxy passes on what it can’t read', async () => {
  const { root, issue } = await theAuthority()
  const double = DOUBLES.anthropic(KEY, { does: 'complete', text: DRAFT })
  const server = await startApiServer(double, await issue(LOCALHOST))
  const { connect, sightings, stop } = await startTunnel(server.port)
  const provider = openModelProvider({
    provider: { ...providerOf('anthropic', [root], server.port), host: LOCALHOST },
    key: KEY,
    connect,
    clock: systemClock(),
    random: fresh,
  })
  expect(await provider.complete(REQUEST, never())).toMatchObject({ kind: 'completed', text: DRAFT })
  await stop()
  expect(sightings).toMatchObject([{ route: 'egress', status: 200 }])
})

test('a host that is not on the list is not reached', async () => {
  const { connect } = await startTunnel(9)
  await expect(connect({ host: 'elsewhere.test', port: 443 }, never())).rejects.toThrow(
    'the tunnel was refused',
  )
})

test('an aborted signal ends the wait for a tunnel', async () => {
  const { connect } = await startTunnel(9)
  await expect(connect({ host: LOCALHOST, port: 9 }, AbortSignal.abort())).rejects.toThrow()
})

/** A proxy that says one thing. */
const startFalseProxy = async (says: string): Promise<{ host: string; port: number }> => {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(says))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port }
}

test.each([
  ['another success', 'HTTP/1.1 204 No Content\r\n\r\n'],
  ['a redirect', 'HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\n\r\n'],
  ['bytes before the host has spoken', 'HTTP/1.1 200 OK\r\n\r\nhello'],
  ['something that is not HTTP', 'hello\r\n\r\n'],
  ['nothing', ''],
  ['a header section that is too large', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(5000)}\r\n\r\n`],
])('a proxy that says %s is refused', async (_, says) => {
  const proxy = await startFalseProxy(says)
  await expect(connectByTunnel(proxy)({ host: 'a', port: 1 }, never())).rejects.toThrow()
})
