import { describe, expect, test } from 'vitest'
import { systemClock } from '../../src/clock.js'
import { PROVIDER_NAMES } from '../../src/model/model-provider.js'
import { openModelProvider } from '../../src/model/open-model-provider.js'
import { connectDirectly } from '../../src/model/transport/connect.js'
import { DOUBLES, fresh, KEY, openDouble, providerOf } from './doubles/open-double.js'
import { DRAFT, never, REQUEST } from './doubles/requests.js'
import { CANARY } from './doubles/turn.js'

describe.each(PROVIDER_NAMES)('over the API of %s', (kind) => {
  test('a model’s text comes back as a draft, with the name that the server gave the model', async () => {
    const double = DOUBLES[kind](KEY, { does: 'complete', text: DRAFT })
    const { provider, server } = await openDouble(kind, double)
    const reply = await provider.complete(REQUEST, never())
    const model_returned = {
      anthropic: 'a-model-1',
      openai: 'a-model-1-2026-01-01',
      gemini: 'a-model-1',
      local: 'tiny.gguf',
    }
    expect(reply).toEqual({ kind: 'completed', text: DRAFT, model_returned: model_returned[kind] })
    expect(provider.name).toBe(kind)
    expect(server.heard).toHaveLength(1)
  })

  test('the prompt travels as two messages and never in the URL or a header', async () => {
    const { provider, server } = await openDouble(kind, DOUBLES[kind](KEY, { does: 'complete', text: DRAFT }))
    await provider.complete(REQUEST, never())
    const [heard] = server.heard
    expect(heard?.text).toContain(REQUEST.system)
    expect(heard?.text).toContain(REQUEST.user)
    expect(JSON.stringify([heard?.path, heard?.headers])).not.toContain(REQUEST.user)
    expect(heard?.path).not.toContain(KEY)
  })

  test('an answer that was cut off is truncated, not a draft', async () => {
    const { provider } = await openDouble(
      kind,
      DOUBLES[kind](KEY, { does: 'truncate', text: DRAFT.slice(0, 9) }),
    )
    expect(await provider.complete(REQUEST, never())).toEqual({ kind: 'truncated' })
  })

  test('a request that the API refuses is rejected at once, without the provider’s words', async () => {
    const { provider, server } = await openDouble(kind, () => ({
      status: 400,
      body: JSON.stringify({ error: { message: CANARY } }),
    }))
    const reply = await provider.complete(REQUEST, never())
    expect(reply).toEqual({ kind: 'failed', cause: 'rejected' })
    expect(server.heard).toHaveLength(1)
  })
})

test.each(['anthropic', 'openai', 'gemini'] as const)(
  'a refusal of %s is refused, and its words go nowhere',
  async (kind) => {
    const { provider } = await openDouble(kind, DOUBLES[kind](KEY, { does: 'refuse' }))
    expect(await provider.complete(REQUEST, never())).toEqual({ kind: 'refused' })
  },
)

test.each(['anthropic', 'openai', 'gemini'] as const)('%s with another key is unauthorized', async (kind) => {
  const { provider, server } = await openDouble(
    kind,
    DOUBLES[kind]('another', { does: 'complete', text: DRAFT }),
  )
  expect(await provider.complete(REQUEST, never())).toEqual({ kind: 'failed', cause: 'unauthorized' })
  expect(server.heard).toHaveLength(1)
})

test('a schema that OpenAI takes in strict mode only with changes is asked for without it', async () => {
  const { provider, server } = await openDouble(
    'openai',
    DOUBLES.openai(KEY, { does: 'complete', text: '{}' }),
  )
  const output_schema = { type: 'object', properties: { note: { enum: ['A'] } }, required: [] }
  expect(await provider.complete({ ...REQUEST, output_schema }, never())).toMatchObject({ kind: 'completed' })
  expect(server.heard[0]?.text).toContain('"strict":false')
})

test.each([
  ['no key for a provider that takes one', 'anthropic', null],
  ['a key for a provider that takes none', 'local', KEY],
] as const)('%s is refused as config_malformed', (_, kind, key) => {
  const provider = providerOf(kind, [])
  const open = () =>
    openModelProvider({ provider, key, connect: connectDirectly, clock: systemClock(), random: fresh })
  expect(open).toThrow(expect.objectContaining({ code: 'config_malformed' }))
})

test('a server in this machine is not looked for by the way to others', async () => {
  const { server } = await openDouble('local', DOUBLES.local(KEY, { does: 'complete', text: DRAFT }))
  const provider = openModelProvider({
    provider: providerOf('local', [], server.port),
    key: null,
    connect: () => Promise.reject(new Error('the way to others')),
    clock: systemClock(),
    random: fresh,
  })
  expect(await provider.complete(REQUEST, never())).toMatchObject({ kind: 'completed' })
})
