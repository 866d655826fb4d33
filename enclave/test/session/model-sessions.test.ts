import { canonicalBytes, hash, type JsonValue, type Lane, type Outcome, parseBundle } from '@parley/protocol'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '@parley/verifier'
import { describe, expect, it } from 'vitest'
import { openAiApi } from '../../src/model/api/openai-api.js'
import type { ModelReply } from '../../src/model/model-provider.js'
import type { ModelService } from '../../src/model/model-service.js'
import { askAttested, type ProviderAnchor } from '../../src/model/open-attested-provider.js'
import { fakeClock } from '../fake-clock.js'
import { expectations, startAttestedDouble } from '../model/doubles/attested-double.js'
import { openAiDouble } from '../model/doubles/openai-double.js'
import { FILE_HASH, modelContract, NEAR, PROMPT, REGISTRY, said, scripted } from './model-contract.js'
import { CEILING, FLOOR, good, pairOf, submittedPair } from './participant.js'
import { CONTRACT, LIMITS, type TestRelay, testRelay } from './test-relay.js'

const LLM = modelContract('openai')
const LOCAL = modelContract('local')

const any = { any: 'a relay of this test' }
const verified = (relay: TestRelay, bundle: JsonValue): Promise<Verdict> =>
  verifyBundle({
    bytes: canonicalBytes(bundle),
    policy: parseVerifierPolicy({
      version: 'parley-policy-v1',
      minimum_assurance: 'SELF_ASSERTED',
      accept_simulated: false,
      hardware: null,
      relay: {
        version: any,
        image_digest: any,
        policy_bundle_hash: any,
        profile_hash: any,
        receipt_key: { equals: relay.deps.keys.keyset.receipt_key },
      },
      waive: [],
    }),
    roots: [],
    now: relay.clock.nowSeconds() * 1000,
  })

const trusted = async (relay: TestRelay, bundle: JsonValue): Promise<void> => {
  const verdict = await verified(relay, bundle)
  expect(verdict.checks.filter(({ result }) => result === 'failed')).toEqual([])
  expect(verdict.trusted).toBe(true)
}

describe('a session whose contract names a model of a provider', () => {
  it('is offered as what it is, and its bundle has all that a verifier needs', async () => {
    const { models } = scripted('openai', () => said(NEAR))
    const relay = testRelay({ models, registry: REGISTRY })
    const { buyer, seller } = await submittedPair(relay, LLM)
    expect(buyer.offered?.offer).toMatchObject({
      evaluator: 'llm',
      prompt_program_hash: LLM.prompt_template_hash,
      model_profile_hash: LLM.model_profile_hash,
      provider_account: 'acme',
      egress_channel: 'unbounded',
      capacity: { outputs: '4', outcomes: '11' },
    })
    expect(buyer.offered?.artefacts.prompt_program).toEqual(PROMPT)
    for (const holder of [buyer, seller]) {
      const bundle = await holder.bundle()
      const { receipt, artefacts, openings, provider_evidence } = parseBundle(bundle)
      expect(receipt).toMatchObject({
        model_asserted: 'openai-model',
        model_returned: 'the-name-it-gave',
        model_file_hash: null,
        provider_evidence: null,
      })
      expect(provider_evidence).toBeNull()
      expect(artefacts).toEqual(buyer.offered?.artefacts)
      expect(openings.output?.output).toEqual({ word: 'NEAR' })
      await trusted(relay, bundle)
    }
  })

  it('asks the profile’s model once, with the resolved schema, both inputs and a fresh delimiter', async () => {
    const { models, asked } = scripted('openai', () => said(NEAR))
    const relay = testRelay({ models, registry: REGISTRY })
    await (await submittedPair(relay, LLM)).buyer.bundle()
    await (await submittedPair(relay, LLM)).buyer.bundle()
    expect(asked).toHaveLength(2)
    const [first, second] = asked.map(({ request }) => request)
    expect(first).toMatchObject({ model_id: 'openai-model', max_completion_tokens: 4096 })
    expect(first?.output_schema).toMatchObject({ required: ['word'] })
    expect(first?.system).toContain(PROMPT['system_instruction'])
    expect(first?.user).toContain('{"ceiling":1200000,"currency":"EUR"}')
    expect(first?.user).toContain('{"currency":"EUR","floor":1000000}')
    expect(first?.user).not.toBe(second?.user)
  })

  it('asks for no more tokens than the contract allows', async () => {
    const { models, asked } = scripted('openai', () => said(NEAR))
    const relay = testRelay({ models, registry: REGISTRY })
    const contract = modelContract('openai', { max_completion_tokens: 17 })
    await (await submittedPair(relay, contract)).buyer.bundle()
    expect(asked[0]?.request.max_completion_tokens).toBe(17)
  })

  it('asks nobody before all inputs are there, nor before the answer to the last has left', async () => {
    const { models, asked } = scripted('openai', () => said(NEAR))
    const relay = testRelay({ models, registry: REGISTRY })
    await submittedPair(relay, LLM)
    await relay.clock.advance(LIMITS.tick_ms - 1)
    expect(asked).toEqual([])
    await relay.clock.advance(1)
    expect(asked).toHaveLength(1)
  })
})

const ENDS: [string, Outcome['abort_class'], ModelReply, 'name' | 'none'][] = [
  ['completes within the schema', null, said(NEAR), 'name'],
  ['refuses', 'MODEL_REFUSED', { kind: 'refused' }, 'none'],
  ['is cut short', 'MODEL_TRUNCATED', { kind: 'truncated' }, 'none'],
  ['has a provider that fails', 'PROVIDER_FAILED', { kind: 'failed', cause: 'server' }, 'none'],
  ['has a provider that is not there', 'PROVIDER_FAILED', { kind: 'failed', cause: 'unreachable' }, 'none'],
  ['says another word', 'OUTPUT_REFUSED', said('{"word":"OVER"}'), 'name'],
  ['says what the policy gates', 'OUTPUT_REFUSED', said('{"word":"N1"}'), 'name'],
  ['says a member too many', 'OUTPUT_REFUSED', said('{"word":"NEAR","why":"1200000"}'), 'name'],
  ['says a word outside any object', 'OUTPUT_REFUSED', said('"NEAR"'), 'name'],
  ['says prose', 'OUTPUT_REFUSED', said('They are near.'), 'name'],
  ['puts a fence around its JSON', 'OUTPUT_REFUSED', said('```json\n{"word":"NEAR"}\n```'), 'name'],
  ['says one member twice', 'OUTPUT_REFUSED', said('{"word":"NEAR","word":"FAR"}'), 'name'],
  ['says two values', 'OUTPUT_REFUSED', said(`${NEAR}${NEAR}`), 'name'],
]

describe('a model that', () => {
  it.each(ENDS)(
    '%s ends the session as %s, charged and verifiable',
    async (_, abortClass, reply, returned) => {
      const relay = testRelay({ models: scripted('openai', () => reply).models, registry: REGISTRY })
      const { buyer } = await submittedPair(relay, LLM)
      const bundle = await buyer.bundle()
      const { receipt, openings } = parseBundle(bundle)
      expect(receipt.outcome.abort_class).toBe(abortClass)
      expect(receipt.model_returned).toBe(returned === 'name' ? 'the-name-it-gave' : null)
      expect(openings.output?.output).toEqual(abortClass === null ? { word: 'NEAR' } : null)
      expect(openings.ledger[0]?.after?.charge_millibits).toBe(receipt.capacity.charge_millibits)
      await trusted(relay, bundle)
    },
  )

  it('throws against its own promise ends the session as PROVIDER_FAILED', async () => {
    const { models } = scripted('openai', () => Promise.reject(new Error('CANARY')))
    const relay = testRelay({ models, registry: REGISTRY })
    const { receipt } = parseBundle(await (await submittedPair(relay, LLM)).buyer.bundle())
    expect(receipt.outcome.abort_class).toBe('PROVIDER_FAILED')
  })
})

describe('a model that is slow', () => {
  const TOTAL = (LIMITS.model_slot_ms * 3) / 8

  it('keeps nobody else waiting', async () => {
    const { models } = scripted('openai', () => new Promise(() => undefined))
    const relay = testRelay({ models, registry: REGISTRY })
    const slow = await submittedPair(relay, LLM)
    const quick = await submittedPair(relay, CONTRACT)
    const { receipt } = parseBundle(await quick.buyer.bundle())
    expect(receipt.outcome.status).toBe('COMPLETED')
    expect(relay.clock.nowMs()).toBe(LIMITS.release_slot_ms)
    expect(good(await slow.buyer.result())).toMatchObject({ state: 'PROCESSING', bundle: null })
  })

  it('is waited for until its time is up, then told so, and the session ends as PROVIDER_FAILED', async () => {
    const { models, asked } = scripted('openai', () => new Promise(() => undefined))
    const relay = testRelay({ models, registry: REGISTRY })
    const { buyer } = await submittedPair(relay, LLM)
    await relay.clock.advance(TOTAL - 1)
    expect(asked[0]?.signal.aborted).toBe(false)
    await relay.clock.advance(1)
    expect(asked[0]?.signal.aborted).toBe(true)
    const { receipt } = parseBundle(await buyer.bundle())
    expect(receipt.outcome.abort_class).toBe('PROVIDER_FAILED')
  })

  it('that answers at the end of its time is as late as one that answers after it', async () => {
    const clock = { at: (ms: number): Promise<void> => Promise.resolve(ms).then(() => undefined) }
    const { models } = scripted('openai', async () => {
      await clock.at(TOTAL)
      return said(NEAR)
    })
    const relay = testRelay({ models, registry: REGISTRY })
    clock.at = relay.clock.sleepUntil
    const { receipt } = parseBundle(await (await submittedPair(relay, LLM)).buyer.bundle())
    expect(receipt.outcome.abort_class).toBe('PROVIDER_FAILED')
  })

  it('is told so when the relay stops, and its session commits nothing', async () => {
    const { models, asked } = scripted('openai', () => new Promise(() => undefined))
    const relay = testRelay({ models, registry: REGISTRY })
    await submittedPair(relay, LLM)
    await relay.clock.advance(LIMITS.tick_ms)
    await relay.sessions.close()
    expect(asked[0]?.signal.aborted).toBe(true)
    await relay.clock.advance(2 * LIMITS.model_slot_ms)
    expect(relay.audit.events.at(-1)?.event).toBe('effect.started')
  })
})

describe('a session whose contract names a local model', () => {
  it('keeps inputs inside, and its receipt names the model’s file and no word of its server', async () => {
    const { models } = scripted('local', () => said(NEAR))
    const relay = testRelay({ models, registry: REGISTRY })
    const { buyer } = await submittedPair(relay, LOCAL)
    expect(buyer.offered?.offer).toMatchObject({
      evaluator: 'local',
      provider_account: null,
      egress_channel: 'none',
    })
    const bundle = await buyer.bundle()
    expect(parseBundle(bundle).receipt).toMatchObject({
      model_asserted: 'local-model',
      model_returned: null,
      model_file_hash: FILE_HASH,
    })
    await trusted(relay, bundle)
  })
})

describe('a session whose provider attests', () => {
  const KEY = 'sk-attested'

  /** The relay asks a real double behind simulated hardware; the clock stands still while it does. */
  const conferred = async (lane: Lane, change: Partial<ProviderAnchor['expected']> = {}) => {
    const double = await startAttestedDouble(openAiDouble(KEY, { does: 'complete', text: NEAR }))
    const { expected, roots } = await expectations()
    const calls: Promise<unknown>[] = []
    const real = askAttested(
      {
        name: 'openai',
        api: openAiApi(KEY),
        send: double.send,
        clock: fakeClock(),
        random: (size) => new Uint8Array(size).fill(7),
      },
      { expected: { ...expected, ...change }, roots },
    )
    const ask: ModelService['ask'] = (request, signal) => {
      const call = real(request, signal)
      calls.push(call)
      return call
    }
    const { models } = scripted('openai', () => said(NEAR), { attests: true, ask })
    const relay = testRelay({ lane, models, registry: REGISTRY })
    const { buyer } = await submittedPair(relay, LLM)
    await relay.clock.advance(LIMITS.tick_ms)
    await Promise.all(calls)
    return { relay, double, bundle: await buyer.bundle() }
  }

  it.each([
    ['confidential', 'PROVIDER_ATTESTED'],
    ['software', 'SELF_ASSERTED'],
  ] as const)('has its evidence in the %s lane’s bundle, under level %s', async (lane, level) => {
    const { bundle, double } = await conferred(lane)
    const { receipt, provider_evidence, openings } = parseBundle(bundle)
    expect(openings.output?.output).toEqual({ word: 'NEAR' })
    expect(receipt.assurance_level).toBe(level)
    expect(provider_evidence?.keyset).toEqual(double.keys.keyset)
    expect(receipt.provider_evidence).toBe(provider_evidence === null ? null : hash(provider_evidence))
    expect(double.seen.map(({ path }) => path)).toEqual(['/evidence', '/ohttp'])
    const wire = double.seen.map(({ body }) => Buffer.from(body).toString('latin1')).join()
    expect(wire).not.toContain('1200000')
  })

  it('that is not the one that the bundle expects is told nothing, and the session ends as PROVIDER_FAILED', async () => {
    const { bundle, double } = await conferred('confidential', { image_digest: 'ee'.repeat(32) })
    const { receipt, provider_evidence } = parseBundle(bundle)
    expect(receipt.outcome.abort_class).toBe('PROVIDER_FAILED')
    expect(receipt).toMatchObject({ assurance_level: 'TEE_ATTESTED', provider_evidence: null })
    expect(provider_evidence).toBeNull()
    expect(double.seen.map(({ path }) => path)).toEqual(['/evidence'])
  })
})

describe('a contract whose model this relay cannot ask', () => {
  it.each([
    ['no provider at all', LLM, 'evaluator_unavailable (llm) /evaluator', undefined],
    ['no local one', LOCAL, 'evaluator_unavailable (local) /evaluator', 'openai'],
    ['one of another kind only', LLM, 'evaluator_unavailable /model_profile_hash', 'anthropic'],
    ['a local one only', LLM, 'evaluator_unavailable (llm) /evaluator', 'local'],
  ] as const)('is refused before any input: there is %s', async (_, contract, detail, kind) => {
    const models = kind === undefined ? new Map() : scripted(kind, () => said(NEAR)).models
    const relay = testRelay({ models, registry: REGISTRY })
    const { buyer, seller } = pairOf(relay)
    buyer.refused(await buyer.create(contract, seller.did), 'contract_refused', detail)
  })
})

describe('what is written down', () => {
  it.each([
    ['a provider', 'openai', LLM],
    ['a local model', 'local', LOCAL],
  ] as const)(
    'holds no input, no prompt and nothing that %s said beyond the output',
    async (_, kind, contract) => {
      const canaries = ['CANARY-IN', '987654321', 'CANARY-OUT']
      const { models } = scripted(kind, () => said('{"word":"CANARY-OUT"}', 'CANARY-OUT-NAME'))
      const relay = testRelay({ models, registry: REGISTRY })
      const inputs = [
        { ...CEILING, note: 'CANARY-IN' },
        { ...FLOOR, floor: 987_654_321 },
      ] as const
      const { buyer } = await submittedPair(relay, contract, inputs)
      await buyer.bundle()
      const disk = [...relay.disk.records.values()].map((bytes) => Buffer.from(bytes).toString('latin1'))
      const names = kind === 'openai' ? 'CANARY-OUT-NAME' : ''
      const written = JSON.stringify([relay.logged, disk, relay.audit.events]).replaceAll(names, '')
      for (const canary of canaries) expect(written).not.toContain(canary)
    },
  )
})
