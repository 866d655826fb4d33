import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { systemClock } from '../../../src/clock.js'
import { connectDirectly } from '../../../src/model/transport/connect.js'
import { type ApiRequest, broken, type Exchange } from '../../../src/model/transport/exchange.js'
import { MAX_ANSWER_BYTES } from '../../../src/model/transport/post-over.js'
import { sendOver } from '../../../src/model/transport/send-over.js'
import { fakeClock } from '../../fake-clock.js'
import { type Answerer, type ApiServer, heardBy, startApiServer } from '../doubles/api-server.js'
import { HOST, theAuthority, toLoopback } from '../doubles/open-double.js'
import { never } from '../doubles/requests.js'

const ASKED: ApiRequest = {
  path: '/v1/x',
  headers: { 'x-api-key': 'k' },
  body: new TextEncoder().encode('{}'),
}

const sendTo = (server: ApiServer, signal: AbortSignal = never()): Promise<Exchange> =>
  sendOver({
    endpoint: { host: '127.0.0.1', port: server.port, protection: { kind: 'loopback' } },
    connect: connectDirectly,
    clock: systemClock(),
    connectMs: 60_000,
  })(ASKED, signal)

const exchangeWith = async (answer: Answerer): Promise<Exchange> => sendTo(await startApiServer(answer))

test('an answer is its status, type, retry-after and bytes', async () => {
  const exchange = await exchangeWith(() => ({ status: 429, headers: { 'retry-after': '7' }, body: 'no' }))
  expect(exchange).toEqual({
    kind: 'answered',
    status: 429,
    type: 'application/json',
    retryAfter: '7',
    body: Buffer.from('no'),
  })
})

test('a request has the headers that it was given and no others but these', async () => {
  const server = await startApiServer(() => ({ status: 200, body: '{}' }))
  await sendTo(server)
  expect(server.heard[0]).toEqual({
    method: 'POST',
    path: '/v1/x',
    text: '{}',
    headers: {
      host: `127.0.0.1:${server.port}`,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'content-length': '2',
      'x-api-key': 'k',
      connection: 'close',
    },
  })
})

test('over TLS the host is called by its name, without the usual port', async () => {
  const { root, issue } = await theAuthority()
  const server = await startApiServer(() => ({ status: 200, body: '{}' }), await issue(HOST))
  const send = sendOver({
    endpoint: { host: HOST, port: 443, protection: { kind: 'tls', roots: [root] } },
    connect: toLoopback(server.port),
    clock: systemClock(),
    connectMs: 60_000,
  })
  expect(await send(ASKED, never())).toMatchObject({ kind: 'answered', status: 200 })
  expect(server.heard[0]?.headers.host).toBe(HOST)
})

test.each([301, 302, 307, 308])('a redirect with %s is an answer, and is not followed', async (status) => {
  const elsewhere = await startApiServer(() => ({ status: 200, body: '{}' }))
  const headers = { location: `http://127.0.0.1:${elsewhere.port}/v1/x` }
  expect(await exchangeWith(() => ({ status, headers, body: '' }))).toMatchObject({
    kind: 'answered',
    status,
  })
  expect(elsewhere.heard).toEqual([])
})

test('the largest answer is read whole, and one octet more breaks at the reply', async () => {
  const most = await exchangeWith(() => ({ status: 200, body: Buffer.alloc(MAX_ANSWER_BYTES) }))
  expect(most.kind === 'answered' ? most.body.length : 0).toBe(MAX_ANSWER_BYTES)
  const over = await exchangeWith(() => ({ status: 200, body: Buffer.alloc(MAX_ANSWER_BYTES + 1) }))
  expect(over).toEqual(broken('reply'))
})

test('an answer without an end is left at the largest size', async () => {
  const exchange = await exchangeWith((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', pour)
    pour()
    return undefined
  })
  expect(exchange).toEqual(broken('reply'))
})

test('an encoded answer breaks at the reply', async () => {
  const headers = { 'content-encoding': 'gzip' }
  expect(await exchangeWith(() => ({ status: 200, headers, body: 'x' }))).toEqual(broken('reply'))
})

const cutAfter = (write: (response: ServerResponse) => void): Answerer => {
  return (_, response) => {
    write(response)
    response.socket?.end()
    return undefined
  }
}

test.each<[string, Answerer]>([
  ['hangs up without an answer', cutAfter(() => undefined)],
  [
    'hangs up within a body of known length',
    cutAfter((response) => response.writeHead(200, { 'content-length': 100 }).write('{')),
  ],
  ['hangs up within a chunked body', cutAfter((response) => response.writeHead(200).write('{'))],
  [
    'answers something that is not HTTP',
    (_, response) => {
      response.socket?.end('SSH-2.0-x\r\n')
      return undefined
    },
  ],
  [
    'answers with a header section that is too large',
    () => ({ status: 200, headers: { 'x-large': 'x'.repeat(40_000) }, body: '{}' }),
  ],
  [
    'wants to speak another protocol',
    (_, response) => {
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
      return undefined
    },
  ],
])('a server that %s breaks at the request', async (_, answer) => {
  expect(await exchangeWith(answer)).toEqual(broken('request'))
})

test('an aborted signal ends an exchange that is under way, and its connection', async () => {
  const closed: Promise<unknown>[] = []
  const server = await startApiServer((_, response) => {
    closed.push(new Promise((resolve) => response.once('close', resolve)))
    return undefined
  })
  const cut = new AbortController()
  const exchange = sendTo(server, cut.signal)
  await heardBy(server, 1)
  cut.abort()
  expect(await exchange).toEqual(broken('request'))
  await Promise.all(closed)
})

test('a channel that takes too long to open breaks at the connection', async () => {
  const clock = fakeClock()
  const send = sendOver({
    endpoint: { host: '127.0.0.1', port: 1, protection: { kind: 'loopback' } },
    connect: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reject(new Error('aborted'))
        })
      }),
    clock,
    connectMs: 5000,
  })
  const exchange = send(ASKED, never())
  await clock.advance(5000)
  expect(await exchange).toEqual(broken('connect'))
})

test('the time to open a channel ends no exchange over one that is open', async () => {
  const clock = fakeClock()
  let answer = (): void => undefined
  const server = await startApiServer((_, response) => {
    answer = () => response.writeHead(200).end('{}')
    return undefined
  })
  const send = sendOver({
    endpoint: { host: '127.0.0.1', port: server.port, protection: { kind: 'loopback' } },
    connect: connectDirectly,
    clock,
    connectMs: 5000,
  })
  const exchange = send(ASKED, never())
  await heardBy(server, 1)
  await clock.advance(10_000)
  answer()
  expect(await exchange).toMatchObject({ kind: 'answered', status: 200 })
})
