import { canonicalBytes, logOrigin, parseBundle } from '@parley/protocol'
import { parseHeld, verifyAudit } from '@parley/verifier'
import { expect, test } from 'vitest'
import { startEmbedded } from '../../src/embedded/start-embedded.js'
import { makeRelayKeys } from '../../src/keys/make-relay-keys.js'
import type { RelayKeys } from '../../src/keys/relay-keys.js'
import { loadPolicyBundle } from '../../src/policy-bundle.js'
import { fresh, POLICY_DIRECTORY } from '../boot.js'
import { inProcessEvaluator } from '../evaluator/in-process-evaluator.js'
import { CEILING, submittedPair } from '../session/participant.js'
import { CONTRACT, testRelay, type TestRelay } from '../session/test-relay.js'

const FLOOR = { floor: 1_000_000, currency: 'EUR' }
const bundle = loadPolicyBundle(POLICY_DIRECTORY, 'embedded')
const keysOf = (): RelayKeys =>
  makeRelayKeys({ keyId: 0, bundle, image_digest: null, previous: null, now: 1_800_000_000 }, fresh)

/** A face of a relay: sessions and a log of their own, under keys that another face may have as well. */
const face = async (identity: RelayKeys): Promise<TestRelay> => {
  const base = testRelay()
  const { clock, deps } = base
  const start = startEmbedded({ ...deps, bundle, identity, evaluator: inProcessEvaluator, clock })
  const { keys, handle, close } = await base.wait(start)
  return { ...base, deps: { ...deps, keys }, sessions: { handle, close } }
}

const bundleOf = async (relay: TestRelay): Promise<Uint8Array> => {
  const { buyer } = await submittedPair(relay, CONTRACT, [CEILING, FLOOR])
  return canonicalBytes(parseBundle(await buyer.bundle()))
}

const judged = (keys: RelayKeys, bundles: readonly Uint8Array[]) =>
  verifyAudit({
    lane: 'software',
    origin: logOrigin(keys.keyset.epoch),
    key: keys.logKey.publicKey,
    log: null,
    held: bundles.map((bytes, at) => parseHeld(`bundle ${at}`, bytes)),
  })

test('a relay that shows two participants two logs is convicted by what each of them holds', async () => {
  const keys = keysOf()
  const bundles = [await bundleOf(await face(keys)), await bundleOf(await face(keys))]
  const { holds, exit_code, forks } = judged(keys, bundles)
  expect({ holds, exit_code }).toEqual({ holds: false, exit_code: 4 })
  expect(forks).toHaveLength(1)
  expect(forks[0]?.why).toMatch(/^two (?:roots|entries)/)
})

test('two sessions of a relay that has one log accuse it of nothing', async () => {
  const keys = keysOf()
  const relay = await face(keys)
  const bundles = [await bundleOf(relay), await bundleOf(relay)]
  expect(judged(keys, bundles)).toMatchObject({ holds: true, forks: [] })
})
