import { connect } from 'node:net'
import {
  encodeRequest,
  MAX_MESSAGE_BYTES,
  paddedRequestLength,
  sha256,
  SIZE_CLASSES,
  toBase64url,
  toHex,
  utf8,
  verifyRefusal,
} from '@parley/protocol'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { InnerContext } from '../../src/session/app.js'
import { jsonResponse } from '../../src/session/answer.js'
import { fresh } from '../boot.js'
import {
  INNER,
  openGateway,
  type OpenGateway,
  post,
  read,
  refusalCode,
  sealed,
  type Seen,
} from './open-gateway.js'

test('a sealed request is answered sealed, with its enc and the digest of the whole encapsulation', async () => {
  let context: InnerContext | undefined
  const gateway = await openGateway((_, given) => {
    context = given
    return Promise.resolve(jsonResponse(201, { ok: true }))
  })
  const request = sealed(gateway.keys)
  const seen = await post(gateway.url, request.message)
  expect(seen.status).toBe(200)
  expect(seen.headers['content-type']).toBe('message/ohttp-res')
  expect(request.open(seen.body)).toEqual({ status: 201, body: { ok: true } })
  expect(context).toEqual({ enc: request.enc, encapsulation: toHex(sha256(request.message)) })
  expect(gateway.handled).toEqual([INNER])
})

test.each(SIZE_CLASSES)('an answer of the class %i has exactly that size', async (padTo) => {
  const gateway = await openGateway(() => Promise.resolve({ ...jsonResponse(200, {}), padTo }))
  const seen = await post(gateway.url, sealed(gateway.keys).message)
  expect(seen.body.length).toBe(padTo)
})

const message = (gateway: OpenGateway): Uint8Array => sealed(gateway.keys).message
const flipped = (bytes: Uint8Array, at: number): Uint8Array =>
  bytes.map((octet, index) => (index === at ? octet ^ 1 : octet))
const BROKEN: readonly [string, (gateway: OpenGateway) => Promise<Seen>][] = [
  ['an empty body', ({ url }) => post(url, new Uint8Array(0))],
  ['a body shorter than a header', ({ url }) => post(url, Uint8Array.of(7, 0, 32))],
  [
    'random octets',
    (gateway) => post(gateway.url, new Uint8Array([...message(gateway).subarray(0, 7), ...fresh(4089)])),
  ],
  ['a flipped octet in enc', (gateway) => post(gateway.url, flipped(message(gateway), 8))],
  ['a flipped octet in the ciphertext', (gateway) => post(gateway.url, flipped(message(gateway), 100))],
  ['a flipped octet in the tag', (gateway) => post(gateway.url, flipped(message(gateway), 4095))],
  ['a cut message', (gateway) => post(gateway.url, message(gateway).subarray(0, 4095))],
  [
    'a message that is no size class',
    (gateway) => post(gateway.url, sealed(gateway.keys, encodeRequest(INNER)).message),
  ],
  ['a message over 2 MiB', ({ url }) => post(url, new Uint8Array(MAX_MESSAGE_BYTES + 1))],
  ['another media type', (gateway) => post(gateway.url, message(gateway), 'application/octet-stream')],
  [
    'a media type with a parameter',
    (gateway) => post(gateway.url, message(gateway), 'message/ohttp-req; q=1'),
  ],
  ['another method', async ({ url }) => read(await fetch(`${url}/ohttp`))],
  [
    'a method with a body',
    async (gateway) =>
      read(
        await fetch(`${gateway.url}/ohttp`, {
          method: 'PUT',
          headers: { 'content-type': 'message/ohttp-req' },
          body: new Uint8Array(message(gateway)),
        }),
      ),
  ],
  [
    'a content coding',
    async (gateway) =>
      read(
        await fetch(`${gateway.url}/ohttp`, {
          method: 'POST',
          headers: { 'content-type': 'message/ohttp-req', 'content-encoding': 'gzip' },
          body: new Uint8Array(message(gateway)),
        }),
      ),
  ],
  ['evidence for a body that is no JSON', ({ url }) => post(url, fresh(55), 'application/json', '/evidence')],
]

test.each(BROKEN)(
  '%s is the same plain 400 as everything else that fails before decapsulation',
  async (_, ask) => {
    const gateway = await openGateway()
    const [seen, same] = [await ask(gateway), await post(gateway.url, new Uint8Array(0))]
    expect(seen).toEqual(same)
    expect(seen.status).toBe(400)
    expect(gateway.handled).toEqual([])
  },
)

test.each([
  ['key id', 0],
  ['KEM', 2],
  ['KDF', 4],
  ['AEAD', 5],
])('another %s is the ohttp-key problem', async (_, at) => {
  const gateway = await openGateway()
  const seen = await post(gateway.url, flipped(message(gateway), at))
  expect(seen.status).toBe(400)
  expect(seen.headers['content-type']).toBe('application/problem+json')
  expect(JSON.parse(new TextDecoder().decode(seen.body))).toMatchObject({
    type: 'https://iana.org/assignments/http-problem-types#ohttp-key',
  })
  expect(gateway.handled).toEqual([])
})

test('any other octets are a 400, and the gateway lives', async () => {
  const gateway = await openGateway()
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (head) => {
      const body = new Uint8Array(4096)
      body.set(head)
      expect((await post(gateway.url, body)).status).toBe(400)
    }),
    { numRuns: 50 },
  )
  expect((await post(gateway.url, message(gateway))).status).toBe(200)
})

test('a replayed request is refused inside as request_replayed, and nothing is executed twice', async () => {
  const gateway = await openGateway()
  const request = sealed(gateway.keys)
  await post(gateway.url, request.message)
  for (let attempt = 0; attempt < 2; attempt++) {
    const seen = await post(gateway.url, request.message)
    expect(seen.status).toBe(200)
    expect(refusalCode(gateway, request, seen)).toBe('request_replayed')
  }
  expect(gateway.handled).toHaveLength(1)
  expect(gateway.logged).toContainEqual({ event: 'refused', tick: 0, code: 'request_replayed' })
})

test('of a request and its replay at the same time, one is executed', async () => {
  const gateway = await openGateway()
  const { message: same } = sealed(gateway.keys)
  await Promise.all(Array.from({ length: 8 }, () => post(gateway.url, same)))
  expect(gateway.handled).toHaveLength(1)
})

test('a message that does not open uses up nothing', async () => {
  const gateway = await openGateway(undefined, { replay_entries: 1 })
  const request = sealed(gateway.keys)
  await post(gateway.url, flipped(request.message, 4095))
  expect(request.open((await post(gateway.url, request.message)).body).status).toBe(200)
})

test('when the replay memory is full, requests are refused as relay_overloaded, and replays are still known', async () => {
  const gateway = await openGateway(undefined, { replay_entries: 2 })
  const [first, second, third] = [sealed(gateway.keys), sealed(gateway.keys), sealed(gateway.keys)]
  await post(gateway.url, first.message)
  await post(gateway.url, second.message)
  expect(refusalCode(gateway, third, await post(gateway.url, third.message))).toBe('relay_overloaded')
  expect(refusalCode(gateway, first, await post(gateway.url, first.message))).toBe('request_replayed')
  expect(gateway.handled).toHaveLength(2)
})

test('a request after the keyset is keyset_expired, and one in its last second is not', async () => {
  const gateway = await openGateway()
  const lifetime = gateway.keys.keyset.not_after - gateway.clock.nowSeconds()
  await gateway.clock.advance(lifetime * 1000)
  const last = sealed(gateway.keys)
  expect(last.open((await post(gateway.url, last.message)).body).status).toBe(200)
  await gateway.clock.advance(1000)
  const late = sealed(gateway.keys)
  expect(refusalCode(gateway, late, await post(gateway.url, late.message))).toBe('keyset_expired')
  expect(gateway.handled).toHaveLength(1)
})

test('requests beyond the limit are relay_overloaded, and a replay of one is request_replayed later', async () => {
  let release = (): void => undefined
  const gate = new Promise<void>((resolve) => (release = resolve))
  const gateway = await openGateway(() => gate.then(() => jsonResponse(200, {})), { concurrent_requests: 1 })
  const [held, turnedAway] = [sealed(gateway.keys), sealed(gateway.keys)]
  const pending = post(gateway.url, held.message)
  await expect.poll(() => gateway.handled.length).toBe(1)
  expect(refusalCode(gateway, turnedAway, await post(gateway.url, turnedAway.message))).toBe(
    'relay_overloaded',
  )
  release()
  await pending
  expect(refusalCode(gateway, turnedAway, await post(gateway.url, turnedAway.message))).toBe(
    'request_replayed',
  )
  expect(gateway.handled).toHaveLength(1)
})

test.each([
  ['no binary HTTP', fresh(4041).fill(9)],
  ['a response', Uint8Array.of(1, 0x40, 200, ...new Uint8Array(4038))],
  [
    'padding that is not zero',
    encodeRequest(INNER, 4041).map((octet, index) => (index === 4040 ? 1 : octet)),
  ],
])('%s inside is refused inside as request_malformed', async (_, bhttp) => {
  const gateway = await openGateway()
  const request = sealed(gateway.keys, bhttp)
  expect(refusalCode(gateway, request, await post(gateway.url, request.message))).toBe('request_malformed')
  expect(gateway.handled).toEqual([])
})

test('sessions that break are relay_failed inside, and nothing of the reason is said', async () => {
  const gateway = await openGateway(() => Promise.reject(new Error('canary-8675309')))
  const request = sealed(gateway.keys)
  const seen = await post(gateway.url, request.message)
  expect(seen.status).toBe(200)
  const refusal = verifyRefusal(request.open(seen.body).body, gateway.keys.receiptKey.publicKey)
  expect([refusal.code, refusal.detail]).toEqual(['relay_failed', null])
  expect(refusal.encapsulation).toBe(toHex(sha256(request.message)))
  expect(JSON.stringify(gateway.logged)).not.toContain('canary')
})

test('a long request of the largest class passes', async () => {
  const gateway = await openGateway()
  const content = new Uint8Array(2_000_000)
  const bhttp = encodeRequest({ ...INNER, method: 'POST', content }, paddedRequestLength)
  const request = sealed(gateway.keys, bhttp)
  expect(request.message.length).toBe(MAX_MESSAGE_BYTES)
  expect(request.open((await post(gateway.url, request.message)).body).status).toBe(200)
})

test('health says which lane, epoch and keyset, whose secrets are missing, and no more', async () => {
  const gateway = await openGateway()
  const { lane, epoch } = gateway.keys.keyset
  const answer = await fetch(`${gateway.url}/health`)
  expect(await answer.json()).toEqual({
    lane,
    epoch,
    keyset_digest: gateway.keys.keysetDigest,
    missing_secrets: ['claude'],
  })
})

test.each(['/', '/ohttp/', '/ohttp?x', '/v1/sessions', '/.well-known/ohttp-gateway'])(
  '%s is a plain 404',
  async (path) => {
    const { url } = await openGateway()
    expect((await fetch(`${url}${path}`)).status).toBe(404)
  },
)

test('headers over 8 KiB are refused before anything is read', async () => {
  const { url } = await openGateway()
  const answer = await fetch(`${url}/health`, { headers: { 'x-long': 'a'.repeat(9000) } })
  expect(answer.status).toBe(431)
})

test('a body that ends early reaches nobody', async () => {
  const gateway = await openGateway()
  const { port, hostname } = new URL(gateway.url)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        'POST /ohttp HTTP/1.1\r\nhost: x\r\ncontent-type: message/ohttp-req\r\ncontent-length: 4096\r\n\r\nabc',
      )
      socket.end()
    })
    socket.on('close', () => {
      resolve()
    })
    socket.resume()
  })
  expect(gateway.handled).toEqual([])
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
})

const nonceBody = (nonce: string): Uint8Array => utf8(JSON.stringify({ nonce }))

test('evidence for a nonce carries that nonce', async () => {
  const { url, keys } = await openGateway()
  const nonce = toBase64url(fresh(32))
  const seen = await post(url, nonceBody(nonce), 'application/json', '/evidence')
  expect(seen.status).toBe(200)
  expect(JSON.parse(new TextDecoder().decode(seen.body))).toMatchObject({ nonce, keyset: keys.keyset })
})

test('the boot document is served to whoever asks', async () => {
  const { url } = await openGateway()
  const answer = await fetch(`${url}/evidence`)
  expect(await answer.json()).toMatchObject({ version: 'parley-evidence-v1', nonce: null })
})

test.each([
  ['a nonce of 31 octets', JSON.stringify({ nonce: toBase64url(fresh(31)) })],
  ['a nonce of 33 octets', JSON.stringify({ nonce: toBase64url(fresh(33)) })],
  ['a nonce with unused bits set', JSON.stringify({ nonce: `${'A'.repeat(42)}B` })],
  ['white space', ` ${JSON.stringify({ nonce: 'A'.repeat(42) })}`],
  ['a second member', JSON.stringify({ nonce: 'A'.repeat(37), a: 1 })],
  ['another member', JSON.stringify({ nance: 'A'.repeat(43) })],
  ['no object', JSON.stringify('A'.repeat(53))],
  ['nothing', ''],
])('an evidence request with %s is a plain 400', async (_, text) => {
  const { url } = await openGateway()
  expect((await post(url, utf8(text), 'application/json', '/evidence')).status).toBe(400)
})

test('evidence beyond the rate is a plain 429, until time has passed', async () => {
  const { url, clock } = await openGateway(undefined, { evidence_per_minute: 2 })
  const ask = async () =>
    (await post(url, nonceBody(toBase64url(fresh(32))), 'application/json', '/evidence')).status
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429])
  await clock.advance(30_000)
  expect([await ask(), await ask()]).toEqual([200, 429])
})
