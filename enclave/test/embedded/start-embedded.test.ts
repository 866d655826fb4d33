import { Socket as UdpSocket } from 'node:dgram'
import { Server, Socket } from 'node:net'
import { type HttpRequest, logOrigin, parseBundle } from '@parley/protocol'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { startEmbedded } from '../../src/embedded/start-embedded.js'
import type { Evaluator } from '../../src/evaluator/evaluator.js'
import { loadPolicyBundle, readPolicyBundle } from '../../src/policy-bundle.js'
import { readPolicyFiles } from '../../src/policy/policy-files.js'
import { bytes, POLICY_DIRECTORY } from '../boot.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { CEILING, pairOf, submittedPair } from '../session/participant.js'
import { CONTRACT, testRelay, type TestRelay } from '../session/test-relay.js'

const FLOOR = { floor: 1_000_000, currency: 'EUR' }
const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'embedded')
afterEach(() => {
  vi.restoreAllMocks()
})

/** An embedded relay with a test's clock, store and inference. */
const embed = async (evaluator: Evaluator = inProcessEvaluator): Promise<TestRelay> => {
  const base = testRelay()
  const { clock, deps, logged } = base
  const { store, random } = deps
  const log = (event: (typeof logged)[number]): void => void logged.push(event)
  const embedded = await base.wait(startEmbedded({ bundle, store, evaluator, clock, random, log }))
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
