import { canonicalBytes, type JsonValue, type Outcome, parseBundle } from '@parley/protocol'
import { parseVerifierPolicy, type VerifierPolicy, verifyBundle } from '@parley/verifier'
import { describe, expect, it } from 'vitest'
import {
  CEILING,
  consentedPair,
  good,
  offeredPair,
  type Participant,
  pairOf,
  submittedPair,
} from '../session/participant.js'
import { CONTRACT, LIMITS, type TestRelay, testRelay } from '../session/test-relay.js'
import { TRICKY } from '../session/tricky-contract.js'

const any = { any: 'a relay of this test' }
/** Nothing but its pinned receipt key vouches for a relay of the software lane. */
const policyFor = ({ deps }: TestRelay): VerifierPolicy =>
  parseVerifierPolicy({
    version: 'parley-policy-v1',
    minimum_assurance: 'SELF_ASSERTED',
    accept_simulated: false,
    hardware: null,
    relay: {
      version: any,
      image_digest: any,
      policy_bundle_hash: any,
      profile_hash: any,
      receipt_key: { equals: deps.keys.keyset.receipt_key },
    },
    waive: [],
  })

/** Everybody who may hold a bundle of the session that a story leads to. */
type Story = (relay: TestRelay) => Promise<readonly Participant[]>

const whole = ({ buyer, seller }: { buyer: Participant; seller: Participant }): readonly Participant[] => [
  buyer,
  seller,
]
const expire = async (relay: TestRelay): Promise<void> => {
  await relay.clock.advance(LIMITS.session_ttl_seconds * 1000)
}
const evaluated =
  (n: number): Story =>
  async (relay) =>
    whole(await submittedPair(relay, TRICKY, [{ n }, { n: 0 }]))

const STORIES: [string, Outcome['abort_class'], Story][] = [
  ['was completed', null, async (relay) => whole(await submittedPair(relay, CONTRACT))],
  ['gave a draft that was refused', 'OUTPUT_REFUSED', evaluated(2)],
  ['could not be evaluated', 'EVALUATION_FAILED', evaluated(9)],
  [
    'nobody joined',
    'EXPIRED',
    async (relay) => {
      const { buyer } = pairOf(relay)
      await buyer.created(CONTRACT, null)
      await expire(relay)
      return [buyer]
    },
  ],
  [
    'expired before any consent',
    'EXPIRED',
    async (relay) => {
      const pair = await offeredPair(relay, CONTRACT)
      await expire(relay)
      return whole(pair)
    },
  ],
  [
    'expired after one input',
    'EXPIRED',
    async (relay) => {
      const pair = await consentedPair(relay, CONTRACT)
      good(await pair.buyer.input(CEILING))
      await expire(relay)
      return whole(pair)
    },
  ],
  [
    'was cancelled after one consent',
    'CANCELLED',
    async (relay) => {
      const pair = await offeredPair(relay, CONTRACT)
      good(await pair.buyer.consent())
      good(await pair.seller.cancel())
      return whole(pair)
    },
  ],
]

describe('the verifier', () => {
  it.each(STORIES)('trusts each bundle of a session that %s', async (_, abortClass, story) => {
    const relay = testRelay()
    for (const holder of await story(relay)) {
      await holder.bundle()
      const bundle: JsonValue = await holder.bundle()
      const { receipt, hardware_path } = parseBundle(bundle)
      expect(receipt.outcome.abort_class).toBe(abortClass)
      expect(hardware_path.status).toBe('present')
      const now = relay.clock.nowSeconds() * 1000
      const verdict = await verifyBundle({
        bytes: canonicalBytes(bundle),
        policy: policyFor(relay),
        roots: [],
        now,
      })
      expect(verdict.checks.filter(({ result }) => result === 'failed')).toEqual([])
      expect(verdict.trusted).toBe(true)
      expect(verdict.assurance_level).toBe('SELF_ASSERTED')
    }
  })

  it('runs the program again where both participants have opened their inputs', async () => {
    const relay = testRelay()
    const { buyer, seller } = await submittedPair(relay, CONTRACT)
    const bundle = parseBundle(await buyer.bundle())
    const inputs = [
      { role: 'initiator' as const, salt: buyer.salt, input: CEILING },
      { role: 'responder' as const, salt: seller.salt, input: { floor: 1_000_000, currency: 'EUR' } },
    ]
    const opened = { ...bundle, openings: { ...bundle.openings, inputs } }
    const now = relay.clock.nowSeconds() * 1000
    const verdict = await verifyBundle({
      bytes: canonicalBytes(opened),
      policy: policyFor(relay),
      roots: [],
      now,
    })
    expect(verdict.checks.find(({ name }) => name === 'reexecution')?.result).toBe('passed')
    expect(verdict.trusted).toBe(true)
  })
})
