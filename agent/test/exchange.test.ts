import { canonicalBytes, type HttpResponse, isJsonObject, parseJson } from '@parley/protocol'
import { describe, expect, test } from 'vitest'
import { RelayRefusal } from '../src/index.js'
import { makeKeys } from './double/keys.js'
import { refusalResponse, type Tampering } from './double/relay.js'
import { startStage } from './double/stage.js'
import { contract } from './double/terms.js'

const create = async (tampering: Tampering) => {
  const stage = await startStage(tampering)
  const begin = await stage.begin(stage.buyer)
  return { stage, created: stage.buyer.create(begin, { contract, invited: [null] }) }
}

const json = (status: number, body: string): HttpResponse => ({
  status,
  headers: [['content-type', 'application/json']],
  content: new TextEncoder().encode(body),
})

describe('a refusal', () => {
  test('that the relay signed is a RelayRefusal with its code', async () => {
    const { created } = await create({ refuse: () => 'budget_exhausted' })
    const error: unknown = await created.catch((each: unknown) => each)
    expect(error).toBeInstanceOf(RelayRefusal)
    expect(error).toMatchObject({
      code: 'budget_exhausted',
      detail: null,
      refusal: { version: 'parley-refusal-v1' },
    })
  })

  test.each<[string, Tampering['inner']]>([
    [
      'signed by somebody else',
      (_, encapsulation) => refusalResponse(makeKeys(), 'relay_failed', encapsulation),
    ],
    ['of another request', (response) => refused(response, { encapsulation: '00'.repeat(32) })],
    ['without its signature', (response) => refused(response, { signature: '' })],
    [
      'with another code than it was signed for',
      (response) => refused(response, { code: 'session_unknown' }),
    ],
    ['of another status than its code’s', (response) => ({ ...response, status: 404 })],
    ['of no form', () => json(409, '{"error":"CANARY"}')],
    ['of no JSON', () => json(500, 'CANARY')],
  ])('%s is answer_malformed, and repeats nothing of it', async (_, inner) => {
    const { created } = await create({ refuse: () => 'budget_exhausted', ...(inner && { inner }) })
    const error: unknown = await created.catch((each: unknown) => each)
    expect(error).toMatchObject({ name: 'AgentError', code: 'answer_malformed' })
    expect(String(error)).not.toContain('CANARY')
  })
})

const refused = (response: HttpResponse, change: Record<string, string>): HttpResponse => {
  const body = parseJson(response.content)
  return { ...response, content: canonicalBytes({ ...(isJsonObject(body) ? body : {}), ...change }) }
}

describe('an answer', () => {
  test.each<[string, Tampering]>([
    ['that is no JSON', { inner: () => json(201, 'CANARY') }],
    ['that is not canonical', { inner: () => json(201, '{ "expires_at":1,"session_id":"a"}') }],
    [
      'of another media type',
      { inner: (response) => ({ ...response, headers: [['content-type', 'text/html']] }) },
    ],
    [
      'with two media types',
      { inner: (response) => ({ ...response, headers: [...response.headers, ...response.headers] }) },
    ],
    ['without a media type', { inner: (response) => ({ ...response, headers: [] }) }],
    ['of an odd status', { inner: (response) => ({ ...response, status: 202 }) }],
    ['with a flipped bit', { sealed: (message) => message.with(40, (message[40] ?? 0) ^ 1) }],
    ['that was cut', { sealed: (message) => message.subarray(0, 20) }],
    ['that was cut to nothing', { sealed: () => new Uint8Array(0) }],
    [
      'in clear',
      {
        outer: (path, outgoing) =>
          path === '/ohttp' &&
          Boolean(outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}')),
      },
    ],
  ])('%s is answer_malformed', async (_, tampering) => {
    const { created } = await create(tampering)
    await expect(created).rejects.toMatchObject({ code: 'answer_malformed' })
  })

  test('to an earlier request does not pass for one to this', async () => {
    let first: Uint8Array | undefined
    const tampering: Tampering = { sealed: (message) => (first ??= message) }
    const { stage, created } = await create(tampering)
    const { session } = await created
    await expect(stage.buyer.offer(session, 0)).rejects.toMatchObject({ code: 'answer_malformed' })
  })

  test('of another form than the route’s is object_malformed', async () => {
    const { created } = await create({ inner: () => json(201, '{"extra":1}') })
    await expect(created).rejects.toMatchObject({ code: 'object_malformed' })
  })
})

describe('a request whose relay dies', () => {
  test.each(['/ohttp', '/evidence'])('on %s is sent once only', async (path) => {
    const stage = await startStage()
    const begin = path === '/ohttp' ? await stage.begin(stage.buyer) : undefined
    stage.relay.tampering.outer = (_, outgoing) => Boolean(outgoing.destroy())
    const before = stage.relay.outer.length
    const asked =
      begin === undefined
        ? stage.buyer.attest(stage.relay.url, stage.trust)
        : stage.buyer.create(begin, { contract, invited: [null] })
    await expect(asked).rejects.toMatchObject({ code: 'relay_unreachable' })
    expect(stage.relay.outer.slice(before)).toEqual([path])
  })
})
