import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS, startProxy } from '../src/index.js'
import { register, seal, seen, startEcho, startReplica, startTestProxy } from './replica.js'

/** Writes raw octets to the proxy and gives all that comes back until it closes the connection. */
const raw = (url: string, text: string): Promise<string> =>
  new Promise((resolve) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      resolve(answer)
    })
  })

test('a client that does not finish its header section is cut off', async () => {
  const { proxy } = await startTestProxy({ headers_timeout_ms: 50, request_timeout_ms: 50 })
  expect(await raw(proxy.url, 'POST /ohttp HTTP/1.1\r\nhost: a\r\n')).not.toMatch(/ 200 /)
})

test('a client that does not finish its body is cut off, and so is its request to the replica', async () => {
  const { proxy, sightings } = await startTestProxy({ headers_timeout_ms: 50, request_timeout_ms: 100 })
  const replica = await startEcho(Buffer.from('x'))
  await register(proxy, 1, replica.url)
  const head =
    'POST /ohttp HTTP/1.1\r\nhost: a\r\ncontent-type: message/ohttp-req\r\ncontent-length: 100\r\n\r\n\x01'
  expect(await raw(proxy.url, head)).not.toMatch(/ 200 /)
  await seen(sightings, 1)
  expect(sightings[0]).toMatchObject({ key_id: 1, status: null })
  expect(replica.received).toHaveLength(0)
})

test('a header section over the limit is refused', async () => {
  const { proxy } = await startTestProxy({ max_header_bytes: 1024 })
  const answer = await raw(proxy.url, `GET /health HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(2000)}\r\n\r\n`)
  expect(answer).not.toMatch(/ 200 /)
})

test('a request with two lengths is refused', async () => {
  const { proxy } = await startTestProxy()
  const head = 'POST /ohttp HTTP/1.1\r\nhost: a\r\ncontent-type: message/ohttp-req\r\n'
  const answer = await raw(
    proxy.url,
    `${head}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  )
  expect(answer).toMatch(/^HTTP\/1.1 400 /)
})

test('an address over its rate is refused with 429', async () => {
  const { proxy, clock } = await startTestProxy({ burst: 2, requests_per_second: 1 })
  const ask = async () => (await fetch(`${proxy.url}/health`)).status
  expect([await ask(), await ask(), await ask()]).toEqual([503, 503, 429])
  clock.nowMs += 1000
  expect(await ask()).toBe(503)
})

test('health says how many replicas live, and nothing else', async () => {
  const { proxy } = await startTestProxy()
  await register(proxy, 1, 'http://127.0.0.1:1')
  const answer = await fetch(`${proxy.url}/health`)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual({ replicas: 1 })
})

test('an open exchange may end after a stop, and a new one is not accepted', async () => {
  const { proxy } = await startTestProxy()
  let release = (): void => undefined
  const replica = await startReplica((_, outgoing) => (release = () => outgoing.end('late')))
  await register(proxy, 1, replica.url)
  const open = seal(proxy, Buffer.of(1, 2))
  while (replica.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  const stopped = proxy.stop()
  await expect(fetch(`${proxy.url}/health`)).rejects.toThrow()
  release()
  expect(await (await open).text()).toBe('late')
  await stopped
})

test('an exchange that outlasts the grace is cut', async () => {
  const { proxy } = await startTestProxy({ grace_ms: 20 })
  const replica = await startReplica(() => undefined)
  await register(proxy, 1, replica.url)
  const open = seal(proxy, Buffer.of(1, 2))
  while (replica.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await Promise.all([expect(open).rejects.toThrow(), proxy.stop()])
})

test('an address in use fails the start and leaves nothing listening', async () => {
  const { proxy } = await startTestProxy()
  const taken = { host: '127.0.0.1', port: Number(new URL(proxy.url).port) }
  const config = { listen: taken, control: { host: '127.0.0.1', port: 0 }, limits: DEFAULT_LIMITS }
  await expect(startProxy(config, { log: () => undefined })).rejects.toThrow(/EADDRINUSE/)
})
