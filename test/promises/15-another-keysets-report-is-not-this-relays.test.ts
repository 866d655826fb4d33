import {
  canonicalBytes,
  fromBase64url,
  generateSigningKey,
  type Hardware,
  type JsonValue,
  reportDataOf,
  sha256,
  toBase64url,
  toHex,
} from '@parley/protocol'
import { appraiseRelay, parseVerifierPolicy, type Verdict, verifyBundle } from '@parley/verifier'
import { beforeAll, describe, expect, it } from 'vitest'
import { keysetOf, mintBundle, mintEvidence, NOW } from '../../verifier/test/minted-bundle.js'
import { type SimulatedRelay, simulateRelay } from '../../verifier/test/simulated-relay.js'
import { createSimulatedVendor, makeAuthorityKeys } from '../../scripts/src/processor/index.js'
import { makeProcessor } from '../harness/processor.js'
import { codeOf } from '../harness/failure.js'
import { forgeEvidence } from '../harness/forge-evidence.js'
import { at, honest } from '../harness/hostile-proxy.js'
import { failedChecks } from '../harness/judge.js'
import { changingEvidence, evidenceIn } from '../harness/reflections.js'
import { openRelay } from '../harness/relay.js'
import { openStage } from '../harness/stage.js'

describe('a report over the keyset of another relay on the same chip', () => {
  let chip: SimulatedRelay
  let others: Hardware
  beforeAll(async () => {
    chip = await simulateRelay()
    const head = { keyset_digest: 'a'.repeat(64), tree_size: 2, root: 'b'.repeat(64) }
    others = await chip.reporter(reportDataOf('confidential', head))
  })
  const stolen = (): Promise<Hardware> => Promise.resolve(others)

  const verdictOn = (bundle: JsonValue): Promise<Verdict> =>
    verifyBundle({
      bytes: canonicalBytes(bundle),
      policy: parseVerifierPolicy(chip.policy),
      roots: chip.roots,
      now: NOW,
    })

  it('is genuine and expected in all, and still not this relay’s', async () => {
    const verdict = await verdictOn(await mintBundle('confidential', stolen))
    expect([verdict.trusted, verdict.exit_code]).toEqual([false, 2])
    expect(failedChecks(verdict)).toEqual(['report_data', 'hardware_path'])
    for (const name of ['hardware_genuine', 'hardware_expected', 'root_accepted'] as const)
      expect(verdict.checks.find((check) => check.name === name)?.result).toBe('passed')
    expect(verdict.assurance_level).not.toBe('TEE_ATTESTED')
  })

  it('is not had by naming it in the receipt', async () => {
    const attestation_hash = toHex(sha256(fromBase64url(others.report)))
    const bundle = await mintBundle('confidential', chip.reporter, {
      core: (core) => ({ ...core, tee: core.tee && { ...core.tee, attestation_hash } }),
    })
    const verdict = await verdictOn(bundle)
    expect([verdict.exit_code, ...failedChecks(verdict)]).toEqual([4, 'receipt_tee'])
  })

  it('does not do for the hardware path of a receipt either', async () => {
    const bundle = await chip.mint()
    const { binding } = bundle.hardware_path
    if (binding === null) throw new Error('no hardware path')
    const hardware_path = { status: 'present', binding: { ...binding, hardware: others } }
    const verdict = await verdictOn({ ...bundle, hardware_path })
    expect([verdict.exit_code, ...failedChecks(verdict)]).toEqual([2, 'hardware_path'])
    // Nor does the report of this very keyset over another tree.
    const moved = { ...binding, hardware: bundle.evidence.binding.hardware }
    const again = await verdictOn({ ...bundle, hardware_path: { status: 'present', binding: moved } })
    expect([again.exit_code, ...failedChecks(again)]).toEqual([2, 'hardware_path'])
  })

  it('does not answer a nonce', async () => {
    const nonce = toBase64url(new Uint8Array(32).fill(9))
    const policy = parseVerifierPolicy(chip.policy)
    const terms = { nonce, policy, roots: chip.roots, now: NOW }
    const evidence = await mintEvidence(keysetOf('confidential'), nonce, stolen)
    const { verdict, keyset } = await appraiseRelay({ ...terms, evidence })
    expect([keyset, verdict.exit_code, failedChecks(verdict)[0]]).toEqual([null, 2, 'report_data'])
    const own = await mintEvidence(keysetOf('confidential'), nonce, chip.reporter)
    expect((await appraiseRelay({ ...terms, evidence: own })).keyset).not.toBe(null)
  })

  it('is what its own relay’s bundle verifies with: the control', async () => {
    const verdict = await verdictOn(await chip.mint())
    expect([verdict.trusted, verdict.assurance_level]).toEqual([true, 'TEE_ATTESTED'])
  })
})

describe('a host that runs a relay of its own beside the real one', () => {
  it('gets no participant to take the real report for its own keyset', async () => {
    const stage = await openStage('confidential')
    const own = generateSigningKey()
    stage.host.meddle = at(
      '/evidence',
      changingEvidence(({ keyset, nonce, binding }) =>
        forgeEvidence({ ...keyset, receipt_key: toBase64url(own.publicKey) }, own, nonce, binding.hardware),
      ),
    )
    expect(await codeOf(stage.attest(stage.buyer))).toBe('relay_not_trusted')
    expect(stage.host.sealed()).toBe(0)
    stage.host.meddle = honest
    expect(await codeOf(stage.attest(stage.buyer))).toBe('nothing failed')
  })

  it('cannot start the real one on reports of another chip than the participants’ root vouches for', async () => {
    const vendor = createSimulatedVendor({
      product: 'Milan',
      keys: await makeAuthorityKeys(),
      nowMs: Date.now(),
    })
    const chip = await makeProcessor(vendor)
    const relay = await openRelay('confidential', { collector: chip.collector })
    const stage = await openStage('confidential')
    stage.host.meddle = (request, pass) => pass(request, relay.url)
    expect(await codeOf(stage.attest(stage.buyer))).toBe('relay_not_trusted')
    const { answer } = stage.host.seen.at(-1) ?? {}
    expect(answer && evidenceIn(answer).keyset.epoch).toBe(relay.keyset.epoch)
    expect(stage.host.sealed()).toBe(0)
  })
})
