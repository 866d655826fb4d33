import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_LIMITS, type Limits, type Proxy, type Sighting, startProxy } from '../../src/index.js'
import { seen } from '../replica.js'

/** A server that does to each connection what a test says. */
const startRemote = async (onConnection: (socket: Socket) => void) => {
  const sockets: Socket[] = []
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { port: (server.address() as AddressInfo).port, sockets }
}

const echo = (socket: Socket): void => void socket.pipe(socket)

const startWith = async (ports: readonly number[], limits: Partial<Limits> = {}) => {
  const sightings: Sighting[] = []
  const address = { host: '127.0.0.1', port: 0 }
  const config = {
    listen: address,
    control: address,
    egress: ports.map((port) => ({ host: '127.0.0.1', port })),
    limits: { ...DEFAULT_LIMITS, grace_ms: 20, ...limits },
  }
  const log = (sighting: Sighting): void => void sightings.push(sighting)
  const proxy = await startProxy(config, { log, clock: () => 1_700_000_000_123 })
  onTestFinished(() => proxy.stop())
  return { proxy, sightings }
}

/** A client that keeps all that it is told. */
const dial = (url: string, text: string) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const client = { socket, told: '', closed: once(socket, 'close') }
  socket.on('data', (chunk) => (client.told += chunk.toString()))
  socket.on('error', () => undefined)
  socket.write(text)
  onTestFinished(() => {
    socket.destroy()
  })
  return client
}

const ask = (proxy: Proxy, target: string, more = '') =>
  dial(proxy.controlUrl, `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n${more}`)

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

const OPENED = 'HTTP/1.1 200 Connection established\r\n\r\n'

test('a tunnel carries octets both ways as they are, and ends when both have ended', async () => {
  const remote = await startRemote(echo)
  const { proxy, sightings } = await startWith([remote.port])
  const client = ask(proxy, `127.0.0.1:${remote.port}`, 'sent at once ')
  await until(() => client.told === `${OPENED}sent at once `)
  client.socket.end('and later')
  await client.closed
  expect(client.told).toBe(`${OPENED}sent at once and later`)
  await seen(sightings, 1)
  expect(sightings).toEqual([
    {
      tick: 1_700_000_000_000,
      route: 'egress',
      key_id: null,
      request_class: 4096,
      response_class: 4096,
      status: 200,
    },
  ])
})

test('the log shows sizes as classes, and neither host nor port', async () => {
  const remote = await startRemote((socket) => {
    socket.on('data', () => undefined)
    socket.on('end', () => socket.end('x'.repeat(20_000)))
  })
  const { proxy, sightings } = await startWith([remote.port])
  const client = ask(proxy, `127.0.0.1:${remote.port}`)
  client.socket.end('CANARY')
  await client.closed
  await seen(sightings, 1)
  expect(sightings[0]).toMatchObject({ request_class: 4096, response_class: 65_536 })
  expect(JSON.stringify(sightings)).not.toContain('CANARY')
  expect(JSON.stringify(sightings)).not.toContain(String(remote.port))
})

test.each([
  ['another port', (port: number) => `127.0.0.1:${port + 1 > 65_535 ? 1 : port + 1}`],
  ['another name of the same host', (port: number) => `localhost:${port}`],
  ['no port', () => '127.0.0.1'],
  ['a user', (port: number) => `a@127.0.0.1:${port}`],
  ['a dot at the end', (port: number) => `127.0.0.1.:${port}`],
  ['a leading zero', (port: number) => `127.0.0.1:0${port}`],
])('a target with %s is refused with 403, and nobody is connected to', async (_, target) => {
  const remote = await startRemote(echo)
  const { proxy, sightings } = await startWith([remote.port])
  const client = ask(proxy, target(remote.port))
  await client.closed
  expect(client.told).toMatch(/^HTTP\/1\.1 (?:403 Forbidden|400 Bad Request)\r\n/)
  expect(remote.sockets).toHaveLength(0)
  for (const sighting of sightings) expect(sighting).toMatchObject({ route: 'egress', status: 403 })
})

test('without a list every target is refused', async () => {
  const remote = await startRemote(echo)
  const { proxy } = await startWith([])
  const client = ask(proxy, `127.0.0.1:${remote.port}`)
  await client.closed
  expect(client.told).toMatch(/^HTTP\/1\.1 403 /)
  expect(remote.sockets).toHaveLength(0)
})

test('the public listener opens no tunnel', async () => {
  const remote = await startRemote(echo)
  const { proxy } = await startWith([remote.port])
  const target = `127.0.0.1:${remote.port}`
  const client = dial(proxy.url, `CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`)
  await client.closed
  expect(client.told).not.toMatch(/ 200 /)
  expect(remote.sockets).toHaveLength(0)
})

test('a host that accepts nothing is answered with 502', async () => {
  const remote = await startRemote(echo)
  const closing = createServer()
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve))
  const { port } = closing.address() as AddressInfo
  await new Promise((resolve) => closing.close(resolve))
  const { proxy, sightings } = await startWith([remote.port, port])
  const client = ask(proxy, `127.0.0.1:${port}`)
  await client.closed
  expect(client.told).toMatch(/^HTTP\/1\.1 502 /)
  await seen(sightings, 1)
  expect(sightings[0]).toMatchObject({ status: 502, request_class: 0, response_class: 0 })
})

test('a silent tunnel is cut after its idle time, on both sides', async () => {
  const remote = await startRemote(() => undefined)
  const { proxy, sightings } = await startWith([remote.port], { tunnel_idle_ms: 30 })
  const client = ask(proxy, `127.0.0.1:${remote.port}`)
  await client.closed
  await seen(sightings, 1)
  expect(client.told).toBe(OPENED)
  expect(sightings[0]).toMatchObject({ status: 200 })
})

test('one side that breaks off takes the other with it', async () => {
  const remote = await startRemote((socket) => socket.once('data', () => socket.resetAndDestroy()))
  const { proxy } = await startWith([remote.port])
  const client = ask(proxy, `127.0.0.1:${remote.port}`, 'x')
  await client.closed
  const held = ask(proxy, `127.0.0.1:${remote.port}`)
  await until(() => held.told === OPENED && remote.sockets.length === 2)
  const ended = remote.sockets.map((socket) => once(socket, 'end'))
  held.socket.resetAndDestroy()
  await ended[1]
})

test('more tunnels than the limit are refused with 503', async () => {
  const remote = await startRemote(echo)
  const { proxy } = await startWith([remote.port], { max_tunnels: 1 })
  const first = ask(proxy, `127.0.0.1:${remote.port}`)
  await until(() => first.told === OPENED)
  const second = ask(proxy, `127.0.0.1:${remote.port}`)
  await second.closed
  expect(second.told).toMatch(/^HTTP\/1\.1 503 /)
})

test('a tunnel may end after a stop, and no other is opened', async () => {
  const remote = await startRemote(echo)
  const { proxy } = await startWith([remote.port], { grace_ms: 60_000 })
  const open = ask(proxy, `127.0.0.1:${remote.port}`)
  await until(() => open.told === OPENED)
  const stopped = proxy.stop()
  const late = ask(proxy, `127.0.0.1:${remote.port}`)
  await late.closed
  expect(late.told).toMatch(/^HTTP\/1\.1 503 /)
  open.socket.end('last words')
  await open.closed
  expect(open.told).toBe(`${OPENED}last words`)
  await stopped
})

test('a tunnel that outlasts the grace is cut', async () => {
  const remote = await startRemote(echo)
  const { proxy } = await startWith([remote.port], { grace_ms: 20 })
  const open = ask(proxy, `127.0.0.1:${remote.port}`)
  await until(() => open.told === OPENED)
  await Promise.all([open.closed, proxy.stop()])
})
