import { describe, expect, test } from 'vitest'
import type { ProviderApi } from '../../src/model/api/provider-api.js'
import { openProvider, type Patience } from '../../src/model/ask-provider.js'
import type { ModelReply } from '../../src/model/model-provider.js'
import { type ApiRequest, broken, type Exchange, type Send } from '../../src/model/transport/exchange.js'
import { type FakeClock, fakeClock } from '../fake-clock.js'
import { never, REQUEST } from './doubles/requests.js'

const COMPLETED: ModelReply = { kind: 'completed', text: '1', model_returned: null }

const API: ProviderApi = {
  call: ({ user }) => ({ path: '/x', headers: { 'x-key': 'k' }, body: { user } }),
  reply: (answer) => (answer === 'draft' ? COMPLETED : { kind: 'failed', cause: 'malformed' }),
}

const answered = (status: number, text = '""', retryAfter?: string, type = 'application/json'): Exchange => ({
  kind: 'answered',
  status,
  type,
  retryAfter,
  body: new TextEncoder().encode(text),
})
const DRAFT = answered(200, '"draft"')

type Script = readonly (Exchange | 'silence')[]

/** A provider whose server says these things in turn; random octets are all of one value. */
const scripted = (script: Script, octet = 0xff, patience?: Patience) => {
  const clock = fakeClock()
  const sent: { request: ApiRequest; atMs: number; signal: AbortSignal }[] = []
  const send: Send = (request, signal) => {
    const step = script[sent.length] ?? 'silence'
    sent.push({ request, atMs: clock.nowMs(), signal })
    return step === 'silence' ? new Promise(() => undefined) : Promise.resolve(step)
  }
  const random = (size: number): Uint8Array => new Uint8Array(size).fill(octet)
  const parts = { name: 'openai', api: API, send, clock, random } as const
  return { clock, sent, provider: openProvider(patience === undefined ? parts : { ...parts, patience }) }
}

const outcomeOf = async (script: Script, clockMs = 0) => {
  const { provider, clock, sent } = scripted(script)
  const reply = provider.complete(REQUEST, never())
  await clock.advance(clockMs)
  return { reply: await reply, times: sent.map(({ atMs }) => atMs) }
}

test('a call is one POST of canonical JSON with the headers of the API', async () => {
  const { provider, sent } = scripted([DRAFT])
  expect(await provider.complete(REQUEST, never())).toEqual(COMPLETED)
  expect(sent).toHaveLength(1)
  expect(sent[0]?.request).toEqual({
    path: '/x',
    headers: { 'x-key': 'k', 'content-type': 'application/json' },
    body: new TextEncoder().encode(`{"user":"${REQUEST.user}"}`),
  })
})

describe('an answer', () => {
  test.each([
    [400, 'rejected'],
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [404, 'rejected'],
    [413, 'rejected'],
    [204, 'rejected'],
    [302, 'rejected'],
  ] as const)('with status %s is %s, at once', async (status, cause) => {
    expect(await outcomeOf([answered(status)])).toEqual({ reply: { kind: 'failed', cause }, times: [0] })
  })

  test.each([
    [429, 'rate_limited'],
    [500, 'server'],
    [503, 'server'],
    [529, 'server'],
  ] as const)('with status %s is %s after three attempts', async (status, cause) => {
    const { reply, times } = await outcomeOf(
      [answered(status), answered(status), answered(status), DRAFT],
      5000,
    )
    expect(reply).toEqual({ kind: 'failed', cause })
    expect(times).toEqual([0, 499, 499 + 999])
  })

  test.each([
    ['no JSON', answered(200, '{')],
    ['a member named twice', answered(200, '{"a":1,"a":2}')],
    ['bytes after it', answered(200, '"draft" x')],
    ['JSON of another type', answered(200, '"draft"', undefined, 'text/html')],
    ['JSON of a type that only begins like it', answered(200, '"draft"', undefined, 'application/jsonx')],
    ['nesting over 64', answered(200, `${'['.repeat(65)}${']'.repeat(65)}`)],
    ['another form', answered(200, '{}')],
    ['what can’t be used', broken('reply')],
  ])('that is %s is malformed, at once', async (_, exchange) => {
    const { reply, times } = await outcomeOf([exchange, DRAFT])
    expect(reply).toEqual({ kind: 'failed', cause: 'malformed' })
    expect(times).toEqual([0])
  })

  test('may say which characters its JSON has', async () => {
    const { reply } = await outcomeOf([
      answered(200, '"draft"', undefined, 'application/json; charset=utf-8'),
    ])
    expect(reply).toEqual(COMPLETED)
  })
})

describe('an attempt', () => {
  test('that made no connection is repeated', async () => {
    const { reply, times } = await outcomeOf([broken('connect'), broken('connect'), DRAFT], 5000)
    expect(reply).toEqual(COMPLETED)
    expect(times).toEqual([0, 499, 499 + 999])
  })

  test.each(['request', 'identity'] as const)('that broke at the %s is not repeated', async (at) => {
    const { reply, times } = await outcomeOf([broken(at), DRAFT], 5000)
    expect(reply).toEqual({ kind: 'failed', cause: 'unreachable' })
    expect(times).toEqual([0])
  })

  test('is sent as the first one was', async () => {
    const { provider, clock, sent } = scripted([answered(500), DRAFT])
    const reply = provider.complete(REQUEST, never())
    await clock.advance(500)
    await reply
    expect(sent[1]?.request).toEqual(sent[0]?.request)
  })

  test('comes at once where chance says so', async () => {
    const { provider, sent } = scripted([answered(500), answered(500), DRAFT], 0)
    expect(await provider.complete(REQUEST, never())).toEqual(COMPLETED)
    expect(sent.map(({ atMs }) => atMs)).toEqual([0, 0, 0])
  })

  test('waits as long as the server asks', async () => {
    const { reply, times } = await outcomeOf([answered(429, '""', '30'), DRAFT], 60_000)
    expect(reply).toEqual(COMPLETED)
    expect(times).toEqual([0, 30_000])
  })

  test('is not made where the server asks for more than is left', async () => {
    const { reply, times } = await outcomeOf([answered(429, '""', '120'), DRAFT])
    expect(reply).toEqual({ kind: 'failed', cause: 'rate_limited' })
    expect(times).toEqual([0])
  })
})

const ended = { kind: 'failed', cause: 'deadline' }

describe('at its deadline', () => {
  const until = async (clock: FakeClock, ms: number, reply: Promise<ModelReply>) => {
    const state = { done: false }
    void reply.finally(() => (state.done = true))
    await clock.advance(ms)
    return state.done
  }

  test('a call ends while the server is silent, and its signal is aborted', async () => {
    const { provider, clock, sent } = scripted(['silence'])
    const reply = provider.complete(REQUEST, never())
    expect(await until(clock, 119_999, reply)).toBe(false)
    expect(sent[0]?.signal.aborted).toBe(false)
    expect(await until(clock, 1, reply)).toBe(true)
    expect(await reply).toEqual(ended)
    expect(sent[0]?.signal.aborted).toBe(true)
  })

  test('a call ends within a later attempt, and none is made after it', async () => {
    const { provider, clock, sent } = scripted([answered(503), 'silence', DRAFT])
    const reply = provider.complete(REQUEST, never())
    await clock.advance(120_000)
    expect(await reply).toEqual(ended)
    await clock.advance(120_000)
    expect(sent).toHaveLength(2)
  })

  test('an answer that comes with it is late', async () => {
    const clock = fakeClock()
    const parts = { name: 'openai', api: API, clock, random: () => new Uint8Array(2) } as const
    const send: Send = async () => {
      await clock.sleepUntil(1000)
      return DRAFT
    }
    const provider = openProvider({ ...parts, send, patience: { totalMs: 1000, attempts: 1 } })
    const reply = provider.complete(REQUEST, never())
    await clock.advance(1000)
    expect(await reply).toEqual(ended)
  })
})

describe('the caller’s signal', () => {
  test('ends a call that is under way', async () => {
    const { provider, clock, sent } = scripted(['silence'])
    const cut = new AbortController()
    const reply = provider.complete(REQUEST, cut.signal)
    await clock.advance(10)
    cut.abort()
    expect(await reply).toEqual(ended)
    expect(sent[0]?.signal.aborted).toBe(true)
  })

  test('ends a wait between attempts', async () => {
    const { provider, clock, sent } = scripted([answered(500), DRAFT])
    const cut = new AbortController()
    const reply = provider.complete(REQUEST, cut.signal)
    await clock.advance(100)
    cut.abort()
    expect(await reply).toEqual(ended)
    await clock.advance(1000)
    expect(sent).toHaveLength(1)
  })

  test('that was aborted before leaves nothing to say', async () => {
    const { provider } = scripted([DRAFT])
    expect(await provider.complete(REQUEST, AbortSignal.abort())).toEqual(ended)
  })
})
