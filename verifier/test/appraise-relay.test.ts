import { canonicalBytes, type Evidence, type JsonValue, toBase64url } from '@parley/protocol'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { appraiseRelay, parseVerifierPolicy, type RelayAppraisal } from '../src/index.js'
import { failures, notRun } from './judge.js'
import { keysetOf, mintEvidence, NOW, policyFor, START } from './minted-bundle.js'
import { simulateRelay, type SimulatedRelay } from './simulated-relay.js'

const OWN = toBase64url(new Uint8Array(32).fill(7))
const OTHER = toBase64url(new Uint8Array(32).fill(8))

describe('evidence of the confidential lane', () => {
  let relay: SimulatedRelay
  let fresh: Evidence
  beforeAll(async () => {
    relay = await simulateRelay('Genoa')
    fresh = await mintEvidence(keysetOf('confidential'), OWN, relay.reporter)
  })
  const appraise = (
    evidence: Evidence | Uint8Array,
    {
      nonce = OWN,
      policy = relay.policy,
      now = NOW,
    }: { nonce?: string | null; policy?: JsonValue; now?: number } = {},
  ): Promise<RelayAppraisal> =>
    appraiseRelay({ evidence, nonce, policy: parseVerifierPolicy(policy), roots: relay.roots, now })

  it("gives a keyset to seal to where it is trusted and carries the caller's own nonce", async () => {
    const { verdict, keyset } = await appraise(canonicalBytes(fresh))
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({ procedure: 'evidence', trusted: true, simulated: true, exit_code: 0 })
    expect(keyset).toMatchObject({
      keyset: fresh.keyset,
      nonce: OWN,
      assuranceLevel: 'TEE_ATTESTED',
      simulated: true,
    })
  })

  it('is judged the same as bytes and as a parsed document', async () => {
    expect(await appraise(fresh)).toEqual(await appraise(canonicalBytes(fresh)))
  })

  it.each<[string, () => Promise<Evidence>]>([
    ["another caller's nonce", () => mintEvidence(keysetOf('confidential'), OTHER, relay.reporter)],
    ['no nonce, as at boot', () => mintEvidence(keysetOf('confidential'), null, relay.reporter)],
  ])('gives no keyset with %s', async (_, mint) => {
    const { verdict, keyset } = await appraise(await mint())
    expect(keyset).toBeNull()
    expect(verdict.exit_code).toBe(3)
    expect(failures(verdict)).toEqual({ evidence_nonce: 'nonce_mismatch' })
  })

  it("gives no keyset where the caller's nonce was only written into the document", async () => {
    const stale = await mintEvidence(keysetOf('confidential'), OTHER, relay.reporter)
    const { verdict, keyset } = await appraise({ ...stale, nonce: OWN })
    expect(keyset).toBeNull()
    expect(verdict.exit_code).toBe(2)
    expect(failures(verdict)).toMatchObject({ evidence_binding: 'signature_invalid' })
  })

  it('gives a verdict and never a keyset to a caller without a nonce', async () => {
    const { verdict, keyset } = await appraise(fresh, { nonce: null })
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toEqual({ evidence_nonce: 'nonce_not_demanded' })
    expect(keyset).toBeNull()
  })

  it.each([
    ['before its keyset begins', (START - 1) * 1000, 'keyset_not_yet_valid'],
    ['after its keyset has ended', (START + 86_401) * 1000, 'keyset_expired'],
  ])('gives no keyset %s', async (_, now, code) => {
    const { verdict, keyset } = await appraise(fresh, { now })
    expect(keyset).toBeNull()
    expect(failures(verdict)).toMatchObject({ keyset_window: code })
  })

  it('gives no keyset without leave for a simulated root', async () => {
    const { verdict, keyset } = await appraise(fresh, {
      policy: { ...relay.policy, accept_simulated: false },
    })
    expect(verdict).toMatchObject({ trusted: false, simulated: true, exit_code: 3 })
    expect(keyset).toBeNull()
  })

  it('gives no keyset where something is waived', async () => {
    const policy = { ...relay.policy, waive: [{ check: 'relay_version', reason: 'a development build' }] }
    const { verdict, keyset } = await appraise(fresh, { policy })
    expect(verdict.trusted).toBe(false)
    expect(keyset).toBeNull()
  })

  it('gives no keyset to a software policy that pins another receipt key', async () => {
    const policy = {
      ...policyFor('confidential'),
      relay: { ...(policyFor('confidential')['relay'] as object), receipt_key: { equals: OTHER } },
    }
    expect((await appraise(fresh, { policy: policy as JsonValue })).keyset).toBeNull()
  })

  it('that is not exact canonical JSON is malformed', async () => {
    const text = JSON.stringify(fresh, null, 1)
    const { verdict, keyset } = await appraise(new TextEncoder().encode(text))
    expect(keyset).toBeNull()
    expect(verdict.exit_code).toBe(5)
    expect(failures(verdict)).toEqual({ evidence_form: 'json_not_canonical' })
  })

  it('never throws, whatever the bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 256 }), async (bytes) => {
        expect((await appraise(bytes)).verdict.exit_code).toBe(5)
      }),
    )
  })
})

describe('evidence of the software lane', () => {
  it('gives a keyset to seal to where the policy pins the receipt key', async () => {
    const evidence = await mintEvidence(keysetOf('software'), OWN, null)
    const policy = parseVerifierPolicy(policyFor('software'))
    const { keyset } = await appraiseRelay({ evidence, nonce: OWN, policy, roots: [], now: NOW })
    expect(keyset).toMatchObject({ assuranceLevel: 'SELF_ASSERTED', simulated: false })
  })
})
