import { describe, expect, test } from 'vitest'
import { openAiApi } from '../../../src/model/api/openai-api.js'
import { openProvider } from '../../../src/model/ask-provider.js'
import { attestProvider } from '../../../src/model/attested/attest-provider.js'
import { sendSealed } from '../../../src/model/attested/send-sealed.js'
import { broken, type Exchange, type Send } from '../../../src/model/transport/exchange.js'
import { fresh } from '../../boot.js'
import { fakeClock } from '../../fake-clock.js'
import { expectations, NOW, startAttestedDouble } from '../doubles/attested-double.js'
import type { Heard, Told } from '../doubles/api-server.js'
import { openAiDouble } from '../doubles/openai-double.js'
import { DRAFT, never, REQUEST } from '../doubles/requests.js'

const KEY = 'sk-attested'
const completing = openAiDouble(KEY, { does: 'complete', text: DRAFT })

const attested = async (answer: (heard: Heard) => Told = completing) => {
  const double = await startAttestedDouble(answer)
  const asked = await attestProvider({
    ...(await expectations()),
    send: double.send,
    random: fresh,
    signal: never(),
  })
  if (!asked.ok) throw new Error(asked.fault)
  return { double, provider: asked.provider }
}

const open = async (send: (real: Send) => Send, nowSeconds = NOW, answer = completing) => {
  const { double, provider } = await attested(answer)
  return {
    double,
    model: openProvider({
      name: 'openai',
      api: openAiApi(KEY),
      send: sendSealed({ provider, send: send(double.send), nowSeconds: () => nowSeconds }),
      clock: fakeClock(),
      random: () => new Uint8Array(2),
    }),
  }
}

const asItIs = (send: Send): Send => send

test('a prompt is read only behind the evidence, and its answer comes back', async () => {
  const { double, model } = await open(asItIs)
  expect(await model.complete(REQUEST, never())).toMatchObject({ kind: 'completed', text: DRAFT })
  expect(double.seen.map(({ path }) => path)).toEqual(['/evidence', '/ohttp'])
  for (const { headers, body } of double.seen) {
    const wire = Buffer.concat([Buffer.from(JSON.stringify(headers)), body]).toString('latin1')
    for (const secret of [REQUEST.user, REQUEST.system, KEY, 'completions'])
      expect(wire).not.toContain(secret)
  }
  expect(double.seen[1]?.body.length).toBe(4096)
})

test('what the model behind it refuses is an outcome as ever', async () => {
  const { model } = await open(asItIs, NOW, openAiDouble(KEY, { does: 'refuse' }))
  expect(await model.complete(REQUEST, never())).toEqual({ kind: 'refused' })
})

test('a failure inside is repeated, in another encapsulation', async () => {
  const { double, model } = await open(asItIs, NOW, () => ({ status: 503, body: '{}' }))
  expect(await model.complete(REQUEST, never())).toEqual({ kind: 'failed', cause: 'server' })
  const sealed = double.seen.slice(1).map(({ body }) => Buffer.from(body).toString('hex'))
  expect(new Set(sealed).size).toBe(3)
})

test('outside the dates of the keyset nothing is sent', async () => {
  const { double, model } = await open(asItIs, NOW + 1e9)
  expect(await model.complete(REQUEST, never())).toEqual({ kind: 'failed', cause: 'unreachable' })
  expect(double.seen.map(({ path }) => path)).toEqual(['/evidence'])
})

test('a prompt over the largest size class is not sent', async () => {
  const { double, model } = await open(asItIs)
  const reply = await model.complete({ ...REQUEST, user: 'x'.repeat(2_097_152) }, never())
  expect(reply).toEqual({ kind: 'failed', cause: 'unreachable' })
  expect(double.seen).toHaveLength(1)
})

const meddled =
  (change: (exchange: Exchange) => Exchange) =>
  (send: Send): Send =>
  async (request, signal) =>
    change(await send(request, signal))

const flipped = (body: Uint8Array): Uint8Array =>
  body.map((octet, at) => (at === body.length - 1 ? octet ^ 1 : octet))

describe('a host that', () => {
  test.each<[string, (send: Send) => Send, string]>([
    [
      'alters the answer',
      meddled((exchange) =>
        exchange.kind === 'answered' ? { ...exchange, body: flipped(exchange.body) } : exchange,
      ),
      'malformed',
    ],
    [
      'answers in clear',
      () => () =>
        Promise.resolve({
          kind: 'answered',
          status: 200,
          type: 'application/json',
          retryAfter: undefined,
          body: new TextEncoder().encode('{"choices":[{"finish_reason":"stop","message":{"content":"{}"}}]}'),
        }),
      'malformed',
    ],
    [
      'calls what it says in clear sealed',
      () => () =>
        Promise.resolve({
          kind: 'answered',
          status: 200,
          type: 'message/ohttp-res',
          retryAfter: undefined,
          body: new TextEncoder().encode('{}'),
        }),
      'malformed',
    ],
    ['drops the request', () => () => Promise.resolve(broken('request')), 'unreachable'],
  ])('%s gives no draft', async (_, send, cause) => {
    const { model } = await open(send)
    expect(await model.complete(REQUEST, never())).toEqual({ kind: 'failed', cause })
  })
})

test.each<[string, Exchange]>([
  ['is not reached', broken('connect')],
  [
    'refuses',
    { kind: 'answered', status: 429, type: 'text/plain', retryAfter: undefined, body: new Uint8Array(0) },
  ],
])('a provider that %s has no evidence', async (_, exchange) => {
  const asked = {
    ...(await expectations()),
    random: fresh,
    signal: never(),
    send: () => Promise.resolve(exchange),
  }
  expect(await attestProvider(asked)).toEqual({ ok: false, fault: 'evidence_unreachable' })
})

test('evidence that was recorded before is not fresh', async () => {
  const { double } = await attested()
  const recorded = await double.send(
    double.seen[0] ?? { path: '', headers: {}, body: new Uint8Array(0) },
    never(),
  )
  const asked = {
    ...(await expectations()),
    random: fresh,
    signal: never(),
    send: () => Promise.resolve(recorded),
  }
  expect(await attestProvider(asked)).toEqual({ ok: false, fault: 'evidence_not_fresh' })
})
