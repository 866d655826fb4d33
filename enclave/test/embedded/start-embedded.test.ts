import { Socket as UdpSocket } from 'node:dgram'
import { Server, Socket } from 'node:net'
import { type HttpRequest, logOrigin, parseBundle, verifyReceipt } from '@parley/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type EmbeddedOptions, startEmbedded } from '../../src/embedded/start-embedded.js'
import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { makeRelayKeys } from '../../src/keys/make-relay-keys.js'
import { loadPolicyBundle, readPolicyBundle } from '../../src/policy-bundle.js'
import { readPolicyFiles } from '../../src/policy/policy-files.js'
import { bytes, fresh, POLICY_DIRECTORY } from '../boot.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { modelContract, NEAR, REGISTRY, said, scripted } from '../session/model-contract.js'
import { CEILING, pairOf, submittedPair } from '../session/participant.js'
import { CONTRACT, LIMITS, testRelay, type TestRelay } from '../session/test-relay.js'

const FLOOR = { floor: 1_000_000, currency: 'EUR' }
const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'embedded')
afterEach(() => {
  vi.restoreAllMocks()
})

/** An embedded relay with a test's clock, store and inference. */
const embed = async (
  evaluator: Evaluator = inProcessEvaluator,
  more: Partial<EmbeddedOptions> = {},
): Promise<TestRelay> => {
  const base = testRelay()
  const { clock, deps, logged } = base
  const { store, random } = deps
  const log = (event: (typeof logged)[number]): void => void logged.push(event)
  const embedded = await base.wait(startEmbedded({ bundle, store, evaluator, clock, random, log, ...more }))
  const { keys, handle, close } = embedded
  return { ...base, deps: { ...deps, keys }, sessions: { handle, close } }
}

const whole = async (relay: TestRelay) => {
  const { buyer } = await submittedPair(relay, CONTRACT, [CEILING, FLOOR])
  return parseBundle(await buyer.bundle())
}

test('UAR-23: a session runs inside a host program, and its receipt names the embedded profile', async () => {
  const { receipt, evidence } = await whole(await embed())
  expect(receipt.outcome.status).toBe('COMPLETED')
  expect(receipt.relay).toMatchObject({ profile: 'embedded', profile_hash: bundle.profile.hash })
  expect(receipt.lane).toBe('software')
  expect(receipt.audit.checkpoint.split('\n')[0]).toBe(logOrigin(evidence.keyset.epoch))
})

test('UAR-25: the embedded profile opens no socket in a whole session', async () => {
  const opened = [
    vi.spyOn(Socket.prototype, 'connect'),
    vi.spyOn(Server.prototype, 'listen'),
    vi.spyOn(UdpSocket.prototype, 'bind'),
    vi.spyOn(UdpSocket.prototype, 'send'),
  ]
  await whole(await embed())
  for (const spy of opened) expect(spy).not.toHaveBeenCalled()
})

describe('UAR-24: the host owns what is released in the embedded profile, too', () => {
  test('an evaluator that fails releases nothing', async () => {
    const failing: Evaluator = { ...inProcessEvaluator, evaluate: () => Promise.reject(new Error('no')) }
    await expect(whole(await embed(failing))).rejects.toThrow('no bundle yet')
  })

  test('a request that nobody signed has no effect', async () => {
    const relay = await embed()
    const { buyer } = pairOf(relay)
    const unsigned = (request: HttpRequest): HttpRequest => ({ ...request, headers: [] })
    const reply = await buyer.send('POST', '/v1/sessions', CONTRACT, { tamper: unsigned })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(relay.disk.seen).toHaveLength(1)
  })

  test('a record that cannot be written starts nothing', async () => {
    const base = testRelay()
    const { clock, deps } = base
    base.disk.failures = 1
    const start = startEmbedded({ ...deps, bundle, clock, models: new Map() })
    await expect(base.wait(start)).rejects.toMatchObject({ code: 'store_failed' })
  })
})

describe('what the host gives is what is used', () => {
  const keysFor = (given: Parameters<typeof makeRelayKeys>[0]['bundle']) =>
    makeRelayKeys({ keyId: 0, bundle: given, image_digest: null, previous: null, now: 1_800_000_000 }, fresh)

  test('identity: receipts are signed by the keys that it brings', async () => {
    const identity = keysFor(bundle)
    const { receipt, evidence } = await whole(await embed(inProcessEvaluator, { identity }))
    expect(evidence.keyset).toEqual(identity.keyset)
    verifyReceipt(receipt, identity.receiptKey.publicKey)
  })

  test.each([
    ['of another profile', () => keysFor(loadPolicyBundle(POLICY_DIRECTORY, 'software'))],
    ['of the confidential lane', () => keysFor(loadPolicyBundle(POLICY_DIRECTORY, 'confidential'))],
    ['of another bundle', () => keysFor({ ...bundle, hash: '0'.repeat(64) })],
  ])('keys %s are profile_refused, and nothing is written', async (_, identity) => {
    const { clock, deps, disk } = testRelay()
    const start = startEmbedded({ ...deps, bundle, clock, identity: identity() })
    await expect(start).rejects.toMatchObject({ code: 'profile_refused' })
    expect(disk.seen).toEqual([])
  })

  test('inference: a model is asked through the host’s port, and through none where it has none', async () => {
    const contract = modelContract('local')
    const own = { ...bundle, limits: LIMITS, registry: REGISTRY }
    const { models, asked } = scripted('local', () => said(NEAR))
    const { buyer } = await submittedPair(await embed(inProcessEvaluator, { bundle: own, models }), contract)
    expect(parseBundle(await buyer.bundle()).receipt.outcome.status).toBe('COMPLETED')
    expect(asked).toHaveLength(1)
    const without = pairOf(await embed(inProcessEvaluator, { bundle: own })).buyer
    without.refused(await without.create(contract, null), 'contract_refused')
  })

  test('storage: whatever is kept is in the store that it brings', async () => {
    const relay = await embed()
    const { receipt } = await whole(relay)
    const { epoch } = relay.deps.keys.keyset
    expect(relay.disk.records.has(`session/${receipt.session_id}`)).toBe(true)
    expect(relay.disk.records.has(`checkpoint/${epoch}`)).toBe(true)
    expect(Array.from(relay.disk.log(`audit/${epoch}`)).length).toBeGreaterThan(6)
  })
})

test.each([
  'ohttp-ingress',
  'replay-guard',
  'ticked-answers',
  'hardware-evidence',
  'sealed-store',
  'mind-reading',
])(
  'UAR-22: an embedded profile that promises %s does not start, since this build has it not there',
  (surface) => {
    const files = new Map(readPolicyFiles(POLICY_DIRECTORY))
    const path = 'profiles/embedded.json'
    const descriptor = JSON.parse(new TextDecoder().decode(files.get(path))) as { surfaces: string[] }
    files.set(path, bytes(JSON.stringify({ ...descriptor, surfaces: [...descriptor.surfaces, surface] })))
    expect(() => readPolicyBundle(files, 'embedded')).toThrow(
      expect.objectContaining({ code: 'surface_missing' }),
    )
  },
)
