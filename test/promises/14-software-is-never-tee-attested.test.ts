import {
  type Bundle,
  canonicalBytes,
  type Hardware,
  type JsonObject,
  type JsonValue,
  parseBundle,
} from '@parley/protocol'
import {
  parseReceiptKey,
  parseVerifierPolicy,
  type Verdict,
  verifyBundle,
  verifyReceiptFile,
} from '@parley/verifier'
import { beforeAll, describe, expect, it } from 'vitest'
import { KEYS, mintBundle, NOW, policyFor as mintedPolicyFor } from '../../verifier/test/minted-bundle.js'
import { type SimulatedRelay, simulateRelay } from '../../verifier/test/simulated-relay.js'
import { failedChecks, judgeBytes } from '../harness/judge.js'
import { type RealBundle, realBundle } from '../harness/real-bundle.js'

describe('the operator of a software relay, who holds all of its keys,', () => {
  let chip: SimulatedRelay
  let software: RealBundle
  let confidential: RealBundle
  beforeAll(async () => {
    chip = await simulateRelay()
    software = await realBundle('software')
    confidential = await realBundle('confidential')
  })

  /** The most favourable verdict: TEE_ATTESTED is asked for, the simulation is accepted, every release will do. */
  const verdictOn = (bundle: JsonValue | Bundle): Promise<Verdict> => {
    const any = { any: 'whatever the relay says of itself' }
    const relay = Object.fromEntries(Object.keys(RELEASE).map((name) => [name, any]))
    return verifyBundle({
      bytes: canonicalBytes(bundle),
      policy: parseVerifierPolicy({ ...chip.policy, relay }),
      roots: chip.roots,
      now: NOW,
    })
  }

  /** A report that a secure processor really signed, but about the keyset of somebody else. */
  const stolen = async (): Promise<Hardware> => chip.reporter(new Uint8Array(64).fill(7))

  type Forgery = readonly [what: string, forge: () => Promise<JsonValue | Bundle>]
  const forgeries: readonly Forgery[] = [
    ['tells the truth', () => mintBundle('software', null)],
    [
      'signs a claim of TEE_ATTESTED',
      () => mintBundle('software', null, { core: (core) => ({ ...core, assurance_level: 'TEE_ATTESTED' }) }),
    ],
    [
      'signs a receipt of the confidential lane beside its own keyset',
      () =>
        mintBundle('software', null, {
          core: (core) => ({ ...core, lane: 'confidential', assurance_level: 'TEE_ATTESTED' }),
        }),
    ],
    [
      'signs a receipt that names a report',
      async () => {
        const honest = await chip.mint()
        return mintBundle('software', null, { core: (core) => ({ ...core, tee: honest.receipt.tee }) })
      },
    ],
    ['calls everything confidential, and has no report', () => mintBundle('confidential', null)],
    ['calls everything confidential, and shows another’s report', () => mintBundle('confidential', stolen)],
    [
      'calls only its keyset software',
      () =>
        mintBundle('confidential', stolen, {
          keyset: (keyset) => ({ ...keyset, lane: 'software', platform: 'software' }),
        }),
    ],
    ['has a report over its keyset, in the labels of its lane', () => mintBundle('software', chip.reporter)],
    [
      'shows the evidence of a confidential relay',
      async () => ({ ...(await mintBundle('confidential', stolen)), evidence: confidential.bundle.evidence }),
    ],
    [
      'shows the hardware path of a confidential relay',
      async () => ({
        ...(await mintBundle('software', null)),
        hardware_path: confidential.bundle.hardware_path,
      }),
    ],
  ]

  it.each(forgeries)('who %s is not TEE_ATTESTED', async (_, forge) => {
    const verdict = await verdictOn(await forge())
    expect(verdict.trusted).toBe(false)
    expect(verdict.assurance_level).not.toBe('TEE_ATTESTED')
    expect(verdict.exit_code).toBeGreaterThan(1)
  })

  it('would be, with a report over its own keyset in its own labels: the control', async () => {
    const verdict = await verdictOn(await chip.mint())
    expect([verdict.trusted, verdict.assurance_level]).toEqual([true, 'TEE_ATTESTED'])
  })

  it('cannot relabel a session that was really held: not one word of it, nor all', async () => {
    const text = new TextDecoder().decode(canonicalBytes(software.bundle))
    const relabelled = (pattern: RegExp, word: string): Uint8Array =>
      new TextEncoder().encode(text.replace(pattern, word))
    const words = [
      relabelled(/SELF_ASSERTED/g, 'TEE_ATTESTED'),
      relabelled(/"lane":"software"/g, '"lane":"confidential"'),
      relabelled(/software/g, 'confidential'),
      relabelled(/"platform":"software"/, '"platform":"sev-snp"'),
    ]
    for (const bytes of words) {
      expect(Buffer.from(bytes).equals(Buffer.from(text))).toBe(false)
      const verdict = await judgeBytes(bytes, software.trust)
      expect([verdict.trusted, verdict.assurance_level === 'TEE_ATTESTED']).toEqual([false, false])
    }
    // Member by member, where it stands.
    for (const [name, value] of Object.entries(confidential.bundle)) {
      const mixed = { ...software.bundle, [name]: value }
      if (Buffer.from(canonicalBytes(mixed)).equals(Buffer.from(text))) continue
      for (const trust of [software.trust, confidential.trust]) {
        const verdict = await judgeBytes(canonicalBytes(mixed), trust)
        expect([name, verdict.trusted, verdict.assurance_level === 'TEE_ATTESTED']).toEqual([
          name,
          false,
          false,
        ])
      }
    }
  })

  it('has SELF_ASSERTED where a policy is content with that, and nothing where it is not', async () => {
    const content = await judgeBytes(canonicalBytes(software.bundle), software.trust)
    expect([content.trusted, content.assurance_level]).toEqual([true, 'SELF_ASSERTED'])
    const policy = software.trust.policy as JsonObject
    const hardware = (confidential.trust.policy as JsonObject)['hardware'] ?? null
    const strict = { ...policy, minimum_assurance: 'TEE_ATTESTED', hardware }
    const verdict = await judgeBytes(canonicalBytes(software.bundle), { ...software.trust, policy: strict })
    expect([verdict.exit_code, verdict.assurance_level]).toEqual([3, 'SELF_ASSERTED'])
    expect(failedChecks(verdict)).toContain('assurance')
  })

  it('cannot have more of a receipt alone', async () => {
    const forged = await mintBundle('confidential', stolen)
    for (const receipt of [software.bundle.receipt, parseBundle(forged).receipt]) {
      const key =
        receipt.lane === 'software'
          ? parseReceiptKey(software.bundle.evidence.keyset.receipt_key)
          : KEYS.receipt.publicKey
      const verdict = verifyReceiptFile({ bytes: canonicalBytes(receipt), key })
      expect(verdict.assurance_level).not.toBe('TEE_ATTESTED')
    }
  })
})

const RELEASE = (mintedPolicyFor('software')['relay'] ?? {}) as JsonObject
