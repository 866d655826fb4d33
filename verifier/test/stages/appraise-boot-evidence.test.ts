import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BootEvidence,
  canonicalBytes,
  type Evidence,
  type Hardware,
  type JsonObject,
  parseEvidence,
  parseJson,
  toBase64url,
} from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  appraiseRelay,
  parseVerifierPolicy,
  type RelayAppraisal,
  type RelayToAppraise,
  type Verdict,
  verdictText,
  verifyBundle,
} from '../../src/index.js'
import { anotherTpm, bootEvidenceFor, type BootedRelay, bootRelay, IMAGE } from '../booted-relay.js'
import { failures } from '../judge.js'
import { mintBundle, mintEvidence, NOW, toBytes } from '../minted-bundle.js'

const OWN = toBase64url(new Uint8Array(32).fill(7))

describe('a relay whose launch measurement ends at the firmware', () => {
  let relay: BootedRelay
  let honest: Evidence
  beforeAll(async () => {
    relay = await bootRelay()
    honest = await mintEvidence(relay.keyset, OWN, relay.reporter)
  })

  type Changes = Partial<Omit<RelayToAppraise, 'policy'>> & { readonly policy?: JsonObject }

  const appraise = (
    evidence: Evidence,
    { policy = relay.policy, ...changes }: Changes = {},
  ): Promise<RelayAppraisal> =>
    appraiseRelay({
      evidence,
      nonce: OWN,
      policy: parseVerifierPolicy(policy),
      roots: relay.chip.roots,
      tpmRoots: relay.tpmRoots,
      now: NOW,
      ...changes,
    })

  const judged = async (evidence: Evidence, changes: Changes = {}): Promise<Verdict> => {
    const { verdict, keyset } = await appraise(evidence, changes)
    expect(keyset === null).toBe(!verdict.trusted)
    return verdict
  }

  const withHardware = (change: (hardware: Hardware) => Hardware, evidence = honest): Evidence => {
    const { binding } = evidence
    return {
      ...evidence,
      binding: { ...binding, hardware: binding.hardware === null ? null : change(binding.hardware) },
    }
  }
  const withBoot = (change: (boot: BootEvidence) => BootEvidence | null): Evidence =>
    withHardware((hardware) => ({
      ...hardware,
      boot_evidence: hardware.boot_evidence && change(hardware.boot_evidence),
    }))

  it('is TEE_ATTESTED by a quote beside the report, and each claim names its root', async () => {
    const verdict = await judged(honest)
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({
      trusted: true,
      assurance_level: 'TEE_ATTESTED',
      claims: { launch: { root: 'simulated root' }, boot: { root: 'google' }, app: { root: 'google' } },
    })
  })

  it('says in words what the launch measurement covers, what the TPM adds, and whom that trusts', async () => {
    const text = verdictText(await judged(honest))
    expect(text).toContain('the measurement that the secure processor signed covers the firmware only')
    expect(text).toContain(
      'a TPM outside that measurement says, under Google; whoever runs it could forge both',
    )
  })

  it("is refused where another machine of the same firmware has a report made over this relay's keyset", async () => {
    const stranger = await anotherTpm({ ...IMAGE, commandLine: 'init=/bin/sh' })
    const foreign = await mintEvidence(relay.keyset, OWN, async (reportData) => {
      const report = await relay.chip.reporter(reportData)
      return { ...report, boot_evidence: await bootEvidenceFor(stranger.attester, relay.keyset, report) }
    })
    expect(failures(await judged(foreign))).toMatchObject({ hardware_genuine: 'attestation_key_mismatch' })
    const without = await mintEvidence(relay.keyset, OWN, relay.chip.reporter)
    expect(failures(await judged(without))).toMatchObject({ hardware_genuine: 'boot_evidence_missing' })
    const borrowed = withHardware(
      (hardware) => ({ ...hardware, boot_evidence: honest.binding.hardware?.boot_evidence ?? null }),
      await mintEvidence(relay.keyset, OWN, relay.chip.reporter),
    )
    expect(failures(await judged(borrowed))).toEqual({ hardware_genuine: 'qualifying_data_mismatch' })
  })

  it('is refused where its quote is of another keyset', async () => {
    const other = { ...relay.keyset, epoch: 'ab'.repeat(16) }
    const evidence = await mintEvidence(relay.keyset, OWN, async (reportData) => {
      const report = await relay.chip.reporter(reportData)
      return { ...report, boot_evidence: await bootEvidenceFor(relay.tpm.attester, other, report) }
    })
    expect(failures(await judged(evidence))).toMatchObject({ hardware_genuine: 'qualifying_data_mismatch' })
  })

  it('is refused with any character of its boot evidence changed', async () => {
    for (const member of ['ak_public', 'event_log', 'quote', 'signature'] as const) {
      const text = honest.binding.hardware?.boot_evidence?.[member] ?? ''
      for (let at = 0; at < text.length - 1; at += 1 + Math.floor(text.length / 8)) {
        const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
        const verdict = await judged(withBoot((boot) => ({ ...boot, [member]: changed })))
        expect([2, 5]).toContain(verdict.exit_code)
      }
    }
  })

  it('is refused without the certificate of its key, or with another', async () => {
    const stranger = await anotherTpm()
    for (const certificates of [[], stranger.attester.record.akCertificates.map(toBase64url)])
      expect(
        failures(await judged(withBoot((boot) => ({ ...boot, ak_certificates: certificates })))),
      ).toMatchObject({ hardware_genuine: 'qualifying_data_mismatch' })
  })

  it('bears out launch alone without a root of TPMs: root_missing, and not enough', async () => {
    const verdict = await judged(honest, { tpmRoots: [] })
    expect(failures(verdict)).toEqual({ assurance: 'assurance_too_low' })
    expect(verdict.hardware.find(({ name }) => name === 'boot_root')).toMatchObject({
      result: 'not_run',
      code: 'root_missing',
    })
    expect(verdict.claims).toMatchObject({ launch: { status: 'passed' }, app: { status: 'not_run' } })
    expect(verdictText(verdict)).toContain('no root of TPMs was given')
  })

  it('is refused under a stranger root: chain_signature_invalid', async () => {
    const { rootCertificate } = await anotherTpm()
    const tpmRoots = [{ certificate: rootCertificate, kind: 'google' as const }]
    expect(failures(await judged(honest, { tpmRoots }))).toMatchObject({
      hardware_genuine: 'chain_signature_invalid',
    })
  })

  it.each([
    ['another image', { uki: IMAGE.innerKernel }, 'uki_mismatch'],
    ['another command line', { commandLine: 'init=/bin/sh' }, 'command_line_mismatch'],
    ['Secure Boot off', { secureBoot: false }, 'secure_boot_off'],
  ])('is genuine, and not what was expected, with %s', async (_, change, code) => {
    const other = await bootRelay({ ...IMAGE, ...change })
    const evidence = await mintEvidence(other.keyset, OWN, other.reporter)
    const verdict = await judged(evidence, {
      roots: other.chip.roots,
      tpmRoots: other.tpmRoots,
      policy: other.policy,
    })
    expect(failures(verdict)).toMatchObject({ hardware_expected: code })
    expect(verdict).toMatchObject({ exit_code: 3, claims: { app: { status: 'failed' } } })
  })

  it('is SIMULATED where its TPM is, and refused without leave for that', async () => {
    const tpmRoots = relay.tpmRoots.map(({ certificate }) => ({ certificate, kind: 'simulated' as const }))
    const leave = await judged(honest, { tpmRoots })
    expect(leave).toMatchObject({
      trusted: true,
      simulated: true,
      claims: { app: { root: 'simulated root' } },
    })
    const policy = { ...relay.policy, accept_simulated: false }
    expect(failures(await judged(honest, { tpmRoots, policy }))).toEqual({
      root_accepted: 'simulated_without_leave',
    })
  })

  it('is refused where the policy takes the word of AMD alone: claim_root_refused', async () => {
    const accept = { launch: ['amd'], boot: ['amd'], app: ['amd'] }
    const boot = { ...(relay.policy['boot'] as JsonObject), accept }
    const verdict = await judged(honest, { policy: { ...relay.policy, boot } })
    expect(failures(verdict)).toEqual({ root_accepted: 'claim_root_refused' })
  })

  it('is refused where the launch covers the app, but nobody certifies the boot that the policy expects', async () => {
    const hardware = { ...(relay.policy['hardware'] as JsonObject), launch_covers: 'app' }
    const policy = { ...relay.policy, hardware }
    expect(failures(await judged(honest, { policy }))).toEqual({})
    expect(failures(await judged(honest, { policy, tpmRoots: [] }))).toEqual({
      root_accepted: 'claim_root_refused',
    })
    const unexpected = { ...policy, boot: null }
    expect(failures(await judged(honest, { policy: unexpected, tpmRoots: [] }))).toEqual({})
  })

  it('is not TEE_ATTESTED by a policy that expects nothing of its boot, and must be genuine all the same', async () => {
    const policy = { ...relay.policy, boot: null }
    expect(failures(await judged(honest, { policy }))).toEqual({ assurance: 'assurance_too_low' })
    const selfAsserted = { ...policy, hardware: null, minimum_assurance: 'SELF_ASSERTED' }
    expect(await judged(honest, { policy: selfAsserted })).toMatchObject({
      trusted: true,
      assurance_level: 'SELF_ASSERTED',
    })
    const without = withBoot(() => null)
    expect(failures(await judged(without, { policy: selfAsserted }))).toMatchObject({
      hardware_genuine: 'boot_evidence_missing',
    })
  })

  it('gives a bundle whose later report must have its quote, too', async () => {
    const lies = { keyset: () => relay.keyset }
    const verify = async (bytes: Uint8Array): Promise<Verdict> =>
      verifyBundle({
        bytes,
        policy: parseVerifierPolicy(relay.policy),
        roots: relay.chip.roots,
        tpmRoots: relay.tpmRoots,
        now: NOW,
      })
    const bundle = await mintBundle('confidential', relay.reporter, lies)
    expect(await verify(toBytes(bundle))).toMatchObject({ trusted: true, assurance_level: 'TEE_ATTESTED' })
    const { hardware_path } = bundle
    if (hardware_path.status !== 'present') throw new Error('no later report')
    const { hardware } = hardware_path.binding
    const stripped = {
      ...bundle,
      hardware_path: {
        ...hardware_path,
        binding: { ...hardware_path.binding, hardware: hardware && { ...hardware, boot_evidence: null } },
      },
    }
    expect(failures(await verify(canonicalBytes(stripped)))).toEqual({
      hardware_path: 'boot_evidence_missing',
    })
  })
})

describe('a keyset that names no key of a TPM', () => {
  it('comes without boot evidence: bytes that nothing verifies are refused', async () => {
    const relay = await bootRelay()
    const keyset = { ...relay.keyset, boot_ak: null }
    const terms = { nonce: OWN, roots: relay.chip.roots, tpmRoots: relay.tpmRoots, now: NOW }
    const policy = parseVerifierPolicy(relay.policy)
    const evidence = await mintEvidence(keyset, OWN, relay.reporter)
    const { verdict } = await appraiseRelay({ evidence, policy, ...terms })
    expect(failures(verdict)).toMatchObject({ hardware_genuine: 'boot_evidence_unexpected' })
    const bare = await mintEvidence(keyset, OWN, relay.chip.reporter)
    expect(failures((await appraiseRelay({ evidence: bare, policy, ...terms })).verdict)).toMatchObject({
      hardware_expected: 'boot_evidence_missing',
    })
  })
})

const RECORDED = join(import.meta.dirname, '../../../attestation/vectors/boot')

describe.each(['recorded-rsa-secure-boot', 'recorded-ecc-without-secure-boot'])(
  "the recorded relay of %s on a software TPM's own quotes",
  (name) => {
    const read = (file: string): Uint8Array => Uint8Array.from(readFileSync(join(RECORDED, name, file)))
    const json = (file: string): JsonObject =>
      JSON.parse(readFileSync(join(RECORDED, name, file), 'utf8')) as JsonObject
    const evidence = parseEvidence(parseJson(read('evidence.json')))
    const any = { any: 'not what is looked at here' }
    const policy: JsonObject = {
      version: 'parley-policy-v1',
      minimum_assurance: 'TEE_ATTESTED',
      accept_simulated: true,
      hardware: json('hardware-policy.json'),
      boot: json('boot-policy.json'),
      relay: {
        version: any,
        image_digest: any,
        policy_bundle_hash: { equals: evidence.keyset.release.policy_bundle_hash },
        profile_hash: any,
        receipt_key: any,
      },
      waive: [],
    }
    const terms = {
      nonce: null,
      policy: parseVerifierPolicy(policy),
      roots: [{ certificate: read('processor-root.der'), simulated: true as const }],
      tpmRoots: [{ certificate: read('tpm-root.der'), kind: 'simulated' as const }],
      now: new Date((json('expect.json') as { now: string }).now),
    }

    it('is TEE_ATTESTED and SIMULATED', async () => {
      const { verdict } = await appraiseRelay({ evidence, ...terms })
      expect(failures(verdict)).toEqual({})
      expect(verdict).toMatchObject({ trusted: true, simulated: true, assurance_level: 'TEE_ATTESTED' })
    })

    it('is refused with the report, log, key, quote or signature of anything else', async () => {
      const { hardware } = evidence.binding
      const boot = hardware?.boot_evidence
      if (hardware == null || boot == null) throw new Error('no boot evidence')
      const flip = (text: string): string => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
      const changes: readonly Partial<Hardware>[] = [
        { report: flip(hardware.report) },
        ...(['ak_public', 'event_log', 'quote', 'signature'] as const).map((member) => ({
          boot_evidence: { ...boot, [member]: flip(boot[member]) },
        })),
        { boot_evidence: { ...boot, ak_certificates: [...boot.ak_certificates].reverse() } },
      ]
      for (const change of changes) {
        const changed = {
          ...evidence,
          binding: { ...evidence.binding, hardware: { ...hardware, ...change } },
        }
        const { verdict } = await appraiseRelay({ evidence: changed, ...terms })
        expect([2, 5]).toContain(verdict.exit_code)
      }
    })
  },
)
