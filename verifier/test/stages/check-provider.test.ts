import type { Bundle, Evidence, JsonObject, Keyset, Lane } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '../../src/index.js'
import { failures, notRun } from '../judge.js'
import { keysetOf, mintBundle, mintEvidence, NOW, policyFor, START, toBytes } from '../minted-bundle.js'
import { ofModel } from '../minted-model.js'
import { type SimulatedRelay, simulateRelay } from '../simulated-relay.js'

const NONCE = 'A'.repeat(43)
const IMAGE = 'aa'.repeat(32)
const POLICY_BUNDLE = 'bb'.repeat(32)

let relay: SimulatedRelay
let policy: JsonObject
beforeAll(async () => {
  relay = await simulateRelay()
  const { hardware } = relay.policy
  policy = {
    ...relay.policy,
    minimum_assurance: 'PROVIDER_ATTESTED',
    provider: {
      hardware: hardware ?? null,
      image_digest: { equals: IMAGE },
      policy_bundle_hash: { equals: POLICY_BUNDLE },
    },
  }
})

const providerKeyset = (lane: Lane = 'confidential', change: Partial<Keyset> = {}): Keyset => {
  const honest = keysetOf(lane)
  const release = { ...honest.release, image_digest: IMAGE, policy_bundle_hash: POLICY_BUNDLE }
  return { ...honest, release, ...change }
}

const evidenceOf = (keyset = providerKeyset()): Promise<Evidence> =>
  mintEvidence(keyset, NONCE, relay.reporter)

const minted = async (evidence?: Evidence): Promise<Bundle> =>
  relay.mint({ ...ofModel('llm'), providerEvidence: evidence ?? (await evidenceOf()) })

const judge = (bundle: Bundle, change: JsonObject = {}, roots = relay.roots): Promise<Verdict> =>
  verifyBundle({
    bytes: toBytes(bundle),
    policy: parseVerifierPolicy({ ...policy, ...change }),
    roots,
    now: NOW,
  })

describe('the evidence of the provider that was asked', () => {
  it('makes PROVIDER_ATTESTED of TEE_ATTESTED where it is what the policy expects', async () => {
    const verdict = await judge(await minted())
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({ trusted: true, simulated: true, assurance_level: 'PROVIDER_ATTESTED' })
  })

  it('is not judged, and raises no level, under a policy that describes no provider', async () => {
    const verdict = await judge(await minted(), { provider: null, minimum_assurance: 'TEE_ATTESTED' })
    expect(verdict).toMatchObject({ trusted: true, assurance_level: 'TEE_ATTESTED' })
    expect(notRun(verdict)).toMatchObject({
      provider_evidence: 'provider_not_expected',
      provider_expected: 'provider_not_expected',
    })
  })

  it('raises no level in the software lane, and is judged all the same', async () => {
    const bundle = await mintBundle('software', null, {
      ...ofModel('llm'),
      providerEvidence: await evidenceOf(),
    })
    const verdict = await judge(bundle, {
      ...policyFor('software'),
      accept_simulated: true,
      provider: policy['provider'] ?? null,
    })
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({ trusted: true, simulated: true, assurance_level: 'SELF_ASSERTED' })
  })

  it.each<[string, () => Promise<Evidence>, string, string]>([
    [
      'of another image',
      () =>
        evidenceOf(
          providerKeyset('confidential', {
            release: { ...keysetOf('confidential').release, policy_bundle_hash: POLICY_BUNDLE },
          }),
        ),
      'provider_expected',
      'value_unexpected',
    ],
    [
      'of another policy bundle',
      () =>
        evidenceOf(
          providerKeyset('confidential', {
            release: { ...keysetOf('confidential').release, image_digest: IMAGE },
          }),
        ),
      'provider_expected',
      'value_unexpected',
    ],
    [
      'of a keyset that has expired',
      () => evidenceOf(providerKeyset('confidential', { not_after: START + 1 })),
      'provider_expected',
      'keyset_expired',
    ],
    [
      'of the software lane',
      () => mintEvidence(providerKeyset('software'), NONCE, null),
      'provider_evidence',
      'lane_mismatch',
    ],
    [
      'over another keyset',
      async () => ({
        ...(await evidenceOf()),
        keyset: providerKeyset('confidential', { epoch: '0'.repeat(32) }),
      }),
      'provider_evidence',
      'evidence_binding',
    ],
    [
      'with another nonce than its leaf',
      async () => ({ ...(await evidenceOf()), nonce: 'B'.repeat(42) + 'A' }),
      'provider_evidence',
      'evidence_binding',
    ],
  ])('%s makes nothing of a bundle', async (_, evidence, check, code) => {
    const verdict = await judge(await minted(await evidence()))
    expect(verdict.trusted).toBe(false)
    expect(verdict.assurance_level).toBe('TEE_ATTESTED')
    const found = verdict.checks.find(({ name }) => name === check)
    expect(found?.result).toBe('failed')
    expect([found?.code, found?.detail]).toContain(code)
  })

  it('on another chip than the policy’s fails as not expected', async () => {
    const elsewhere = await simulateRelay('Genoa')
    const evidence = await mintEvidence(providerKeyset(), NONCE, elsewhere.reporter)
    const verdict = await judge(await minted(evidence))
    expect(verdict.trusted).toBe(false)
    expect(failures(verdict)).toHaveProperty('provider_evidence')
  })

  it('that the receipt does not name fails, and one that is left out fails as well', async () => {
    const bundle = await minted()
    const swapped = {
      ...bundle,
      provider_evidence: await evidenceOf(providerKeyset('confidential', { not_after: START + 900 })),
    }
    expect(failures(await judge(swapped))).toMatchObject({ provider_named: 'provider_mismatch' })
    expect(failures(await judge({ ...bundle, provider_evidence: null }))).toMatchObject({
      provider_named: 'provider_mismatch',
      assurance: 'assurance_too_low',
    })
  })

  it('under a root that nobody passed is not genuine', async () => {
    const verdict = await judge(await minted(), {}, [])
    expect(failures(verdict)).toHaveProperty('provider_evidence')
  })

  it('is too little without any, where the policy asks for PROVIDER_ATTESTED', async () => {
    const verdict = await judge(await relay.mint(ofModel('llm')))
    expect(failures(verdict)).toEqual({ assurance: 'assurance_too_low' })
  })

  it('that a receipt claims in its level without naming any is an overclaim', async () => {
    const bundle = await relay.mint({
      ...ofModel('llm'),
      core: (honest) => ({ ...honest, assurance_level: 'PROVIDER_ATTESTED' }),
    })
    expect(failures(await judge(bundle))).toMatchObject({ receipt_level: 'assurance_overclaimed' })
  })
})
