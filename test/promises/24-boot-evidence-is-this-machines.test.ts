import { type Evidence, type Hardware, toBase64url } from '@parley/protocol'
import { appraiseRelay, parseVerifierPolicy, type Verdict } from '@parley/verifier'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  anotherTpm,
  bootEvidenceFor,
  type BootedRelay,
  bootRelay,
  IMAGE,
} from '../../verifier/test/booted-relay.js'
import { failures } from '../../verifier/test/judge.js'
import { mintEvidence, NOW, type Reporter } from '../../verifier/test/minted-bundle.js'

const NONCE = toBase64url(new Uint8Array(32).fill(7))

describe('a relay whose launch measurement covers the firmware only', () => {
  let relay: BootedRelay
  beforeAll(async () => {
    relay = await bootRelay()
  })

  /** What somebody is answered who asks for this relay's evidence, and gets it from whoever can report. */
  const answeredBy = (reporter: Reporter): Promise<Evidence> => mintEvidence(relay.keyset, NONCE, reporter)

  /** The verdict of somebody who expects this relay, and is given a keyset to seal to only if it is trusted. */
  const appraise = async (evidence: Evidence): Promise<Verdict> => {
    const { policy, chip, tpmRoots } = relay
    const trust = { policy: parseVerifierPolicy(policy), roots: chip.roots, tpmRoots }
    const { verdict, keyset } = await appraiseRelay({ evidence, nonce: NONCE, now: NOW, ...trust })
    expect(keyset === null).toBe(!verdict.trusted)
    return verdict
  }

  it('is TEE_ATTESTED by its own report and quote: the control', async () => {
    expect(await appraise(await answeredBy(relay.reporter))).toMatchObject({
      trusted: true,
      assurance_level: 'TEE_ATTESTED',
    })
  })

  // The same firmware, the same vendor's TPM, and a genuine report over this relay's keyset digest.
  type Foreign = readonly [
    what: string,
    code: string,
    boot: (own: Hardware) => Promise<Hardware['boot_evidence']>,
  ]
  const foreign: readonly Foreign[] = [
    ['no quote', 'boot_evidence_missing', () => Promise.resolve(null)],
    [
      'the quote of this relay beside its own report',
      'qualifying_data_mismatch',
      async () => (await answeredBy(relay.reporter)).binding.hardware?.boot_evidence ?? null,
    ],
    [
      'a quote of its own TPM, though it booted the same image',
      'attestation_key_mismatch',
      async (own) => bootEvidenceFor((await anotherTpm()).attester, relay.keyset, own),
    ],
  ]
  it.each(foreign)(
    'is not another machine that reports over its keyset with %s: %s',
    async (_, code, boot) => {
      const evidence = await answeredBy(async (reportData) => {
        const own = await relay.chip.reporter(reportData)
        return { ...own, boot_evidence: await boot(own) }
      })
      const verdict = await appraise(evidence)
      expect(verdict).toMatchObject({ trusted: false, exit_code: 2 })
      expect(failures(verdict)).toMatchObject({ hardware_genuine: code })
    },
  )

  it('is not another machine with a TPM and a keyset of its own that booted something else', async () => {
    const other = await bootRelay({ ...IMAGE, commandLine: 'init=/bin/sh' })
    const evidence = await mintEvidence(other.keyset, NONCE, other.reporter)
    const roots = { roots: other.chip.roots, tpmRoots: other.tpmRoots }
    const terms = { evidence, nonce: NONCE, now: NOW, policy: parseVerifierPolicy(relay.policy) }
    const { verdict, keyset } = await appraiseRelay({ ...terms, ...roots })
    expect([verdict.trusted, keyset]).toEqual([false, null])
    expect(verdict.claims).toMatchObject({ app: { status: 'failed' } })
  })
})
