import { ChainMemo } from '@parley/attestation'
import { type Bundle, fromBase64url, type JsonObject, type JsonValue, toBase64url } from '@parley/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { parseVerifierPolicy, type Verdict, verifyBundle } from '../src/index.js'
import { failures, judge, judgeBytes, NO_PROVIDER, notRun } from './judge.js'
import {
  bind,
  KEYS,
  keysetOf,
  mintBundle,
  mintEvidence,
  NOW,
  policyFor,
  START,
  toBytes,
} from './minted-bundle.js'
import { hardwarePolicy, simulateRelay, type SimulatedRelay } from './simulated-relay.js'
import { without } from './without.js'

describe('a bundle of the software lane', () => {
  it('is trusted as SELF_ASSERTED where the policy pins the receipt key and asks for no more', async () => {
    const verdict = await judge()
    expect(failures(verdict)).toEqual({})
    expect(verdict).toMatchObject({
      trusted: true,
      exit_code: 0,
      simulated: false,
      assurance_level: 'SELF_ASSERTED',
      lane: 'software',
      outcome: { status: 'COMPLETED', abort_class: null },
      output: { overlap: 'YES' },
    })
  })

  it('says which checks it could not run for want of hardware', async () => {
    expect(notRun(await judge())).toEqual({
      hardware_genuine: 'software_lane',
      report_data: 'software_lane',
      hardware_expected: 'software_lane',
      root_accepted: 'software_lane',
      receipt_tee: 'software_lane',
      hardware_path: 'software_lane',
      hardware_path_expected: 'software_lane',
      ...NO_PROVIDER,
    })
  })

  it('is never TEE_ATTESTED', async () => {
    const policy = {
      ...policyFor('software'),
      minimum_assurance: 'TEE_ATTESTED',
      hardware: hardwarePolicy('00'.repeat(48)),
    }
    const verdict = await judge({}, policy)
    expect(verdict).toMatchObject({ trusted: false, exit_code: 3, output: null })
    expect(failures(verdict)).toEqual({ assurance: 'assurance_too_low' })
  })

  it('is not trusted on the word of the key that it brings along', async () => {
    const honest = policyFor('software')
    const policy = {
      ...honest,
      relay: { ...(honest['relay'] as JsonObject), receipt_key: { any: 'I trust them' } },
    }
    const verdict = await judge({}, policy)
    expect(verdict).toMatchObject({ trusted: false, exit_code: 3 })
    expect(failures(verdict)).toEqual({ relay_receipt_key: 'receipt_key_not_pinned' })
    expect(verdict.anys).toEqual([{ check: 'relay_receipt_key', reason: 'I trust them' }])
  })

  it.each(['version', 'image_digest', 'policy_bundle_hash', 'profile_hash', 'receipt_key'])(
    'is not what was expected where relay.%s is another',
    async (member) => {
      const honest = policyFor('software')
      const other = member === 'receipt_key' ? toBase64url(KEYS.stranger.publicKey) : 'f'.repeat(64)
      const policy = {
        ...honest,
        relay: { ...(honest['relay'] as JsonObject), [member]: { one_of: [other] } },
      }
      const verdict = await judge({}, policy)
      expect(verdict).toMatchObject({ trusted: false, exit_code: 3 })
      expect(failures(verdict)).toEqual({ [`relay_${member}`]: 'value_unexpected' })
    },
  )

  it('stays trusted where a value of the release may be anything, and lists it', async () => {
    const honest = policyFor('software')
    const policy = {
      ...honest,
      relay: { ...(honest['relay'] as JsonObject), version: { any: 'all releases' } },
    }
    const verdict = await judge({}, policy)
    expect(verdict.trusted).toBe(true)
    expect(verdict.anys).toEqual([{ check: 'relay_version', reason: 'all releases' }])
  })

  it('is not trusted where a check is waived, and lists the waiver', async () => {
    const policy = {
      ...policyFor('software'),
      waive: [{ check: 'relay_version', reason: 'a development build' }],
    }
    const verdict = await judge({}, policy)
    expect(verdict).toMatchObject({ trusted: false, exit_code: 3, output: null })
    expect(notRun(verdict)).toMatchObject({ relay_version: 'waived' })
    expect(verdict.waivers).toEqual([{ check: 'relay_version', reason: 'a development build' }])
  })

  it('is judged at the time that is passed in', async () => {
    const policy = parseVerifierPolicy(policyFor('software'))
    const bytes = toBytes(await mintBundle('software', null))
    const at = (now: number): Promise<Verdict> => verifyBundle({ bytes, policy, roots: [], now })
    expect(failures(await at((START - 1) * 1000))).toEqual({ keyset_window: 'keyset_not_yet_valid' })
    expect(failures(await at((START + 86_401) * 1000))).toEqual({ keyset_window: 'keyset_expired' })
    await expect(at(NaN)).rejects.toMatchObject({ code: 'argument_invalid' })
  })
})

describe('the form of a bundle', () => {
  const mangled = async (change: (text: string) => string): Promise<Verdict> =>
    judgeBytes(
      new TextEncoder().encode(change(new TextDecoder().decode(toBytes(await mintBundle('software', null))))),
    )

  it.each<[string, string, (text: string) => string]>([
    ['an empty file', 'json_malformed', () => ''],
    ['a file cut short', 'json_malformed', (text) => text.slice(0, -1)],
    ['a byte after the end', 'json_not_canonical', (text) => `${text}\n`],
    ['white space inside', 'json_not_canonical', (text) => text.replace(',', ', ')],
    ['a member twice', 'json_not_canonical', (text) => text.replace('{', '{"consents":null,')],
    [
      'an unknown member',
      'object_malformed',
      (text) => text.replace('"version":"parley-bundle-v1"', '"version":"parley-bundle-v1","w":0'),
    ],
    ['another version', 'object_malformed', (text) => text.replace('parley-bundle-v1', 'parley-bundle-v2')],
    [
      'a missing member',
      'object_malformed',
      (text) => text.replace(/"version":"parley-bundle-v1"/, '"version":null'),
    ],
    ['a receipt instead', 'object_malformed', () => '{"version":"parley-receipt-v1"}'],
  ])('refuses %s as malformed', async (_, code, change) => {
    const verdict = await mangled(change)
    expect(verdict).toMatchObject({ trusted: false, exit_code: 5, assurance_level: null, output: null })
    expect(failures(verdict)).toEqual({ bundle_form: code })
  })

  it('shows every check of the procedure, also where it could read nothing', async () => {
    const { checks } = await judgeBytes(new Uint8Array())
    expect(checks).toHaveLength((await judge()).checks.length)
  })

  it('refuses a file over 2 MiB before it is parsed', async () => {
    expect(failures(await judgeBytes(new Uint8Array((2 << 20) + 1)))).toEqual({ bundle_form: 'too_large' })
  })

  it('refuses a keyset whose key is no usable point', async () => {
    const weak = toBase64url(Uint8Array.of(1, ...new Uint8Array(31)))
    const verdict = await judge({ keyset: (honest) => ({ ...honest, log_key: weak }) })
    expect(failures(verdict)).toEqual({ bundle_form: 'key_refused' })
  })
})

describe('a bundle of the confidential lane', () => {
  let relay: SimulatedRelay
  let honest: Bundle
  const memo = new ChainMemo()
  beforeAll(async () => {
    relay = await simulateRelay()
    honest = await relay.mint()
  })

  const verify = (bundle: Bundle, policy: JsonValue = relay.policy, roots = relay.roots): Promise<Verdict> =>
    verifyBundle({ bytes: toBytes(bundle), policy: parseVerifierPolicy(policy), roots, now: NOW, memo })

  it('is trusted as TEE_ATTESTED and SIMULATED where its chain ends in an extra root with leave', async () => {
    const verdict = await verify(honest)
    expect(failures(verdict)).toEqual({})
    expect(notRun(verdict)).toEqual(NO_PROVIDER)
    expect(verdict).toMatchObject({
      trusted: true,
      simulated: true,
      exit_code: 0,
      assurance_level: 'TEE_ATTESTED',
      lane: 'confidential',
      output: { overlap: 'YES' },
      claims: {
        launch: { status: 'passed', root: 'simulated root' },
        boot: { status: 'not_run', root: 'nobody' },
        app: { status: 'passed', root: 'simulated root' },
      },
    })
  })

  it('trusts a simulated root for nothing that it would trust AMD for', async () => {
    const { checks } = await verify(honest)
    expect(checks.some(({ trusted_for }) => trusted_for === 'amd')).toBe(false)
  })

  it('is simulated and not trusted without leave', async () => {
    const verdict = await verify(honest, { ...relay.policy, accept_simulated: false })
    expect(verdict).toMatchObject({ trusted: false, simulated: true, exit_code: 3, output: null })
    expect(failures(verdict)).toEqual({
      root_accepted: 'simulated_without_leave',
      hardware_path_expected: 'simulated_without_leave',
    })
  })

  it('is not genuine where its root is nobody’s, leave or no leave', async () => {
    const verdict = await verify(honest, relay.policy, [])
    expect(verdict).toMatchObject({ trusted: false, simulated: false, exit_code: 2, assurance_level: null })
    expect(failures(verdict)).toEqual({
      hardware_genuine: 'root_not_pinned',
      hardware_path: 'root_not_pinned',
    })
  })

  it('is not what was expected where the measurement is another', async () => {
    const verdict = await verify(honest, { ...relay.policy, hardware: hardwarePolicy('ff'.repeat(48)) })
    expect(verdict).toMatchObject({ trusted: false, assurance_level: 'SELF_ASSERTED' })
    expect(failures(verdict)).toMatchObject({
      hardware_expected: 'measurement_mismatch',
      assurance: 'assurance_too_low',
    })
  })

  it('proves launch and not app where the measurement covers firmware only', async () => {
    const hardware = { ...(relay.policy['hardware'] as JsonObject), launch_covers: 'firmware' }
    const verdict = await verify(honest, { ...relay.policy, hardware })
    expect(verdict).toMatchObject({
      exit_code: 3,
      claims: { launch: { status: 'passed' }, app: { status: 'not_run' } },
    })
    expect(failures(verdict)).toEqual({ assurance: 'assurance_too_low' })
  })

  it('is not trusted where its measurement is waived', async () => {
    const rest = without(relay.policy['hardware'] as JsonObject, 'measurement')
    const hardware = { ...rest, waive: [{ check: 'measurement', reason: 'a development build' }] }
    const verdict = await verify(honest, { ...relay.policy, minimum_assurance: 'SELF_ASSERTED', hardware })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 3 })
    expect(verdict.waivers).toEqual([{ check: 'measurement', reason: 'a development build' }])
    expect(failures(verdict)).toEqual({})
  })

  it('must still be genuine where the policy asks for no hardware, and is SELF_ASSERTED then', async () => {
    const policy = { ...relay.policy, minimum_assurance: 'SELF_ASSERTED', hardware: null }
    expect(await verify(honest, policy)).toMatchObject({
      trusted: true,
      assurance_level: 'SELF_ASSERTED',
      simulated: true,
    })
    expect(await verify(honest, policy, [])).toMatchObject({ trusted: false, exit_code: 2 })
  })

  it('needs no pinned receipt key where hardware vouches for it', async () => {
    const expected = relay.policy['relay'] as JsonObject
    const policy = {
      ...relay.policy,
      relay: { ...expected, receipt_key: { any: 'a fresh one at every boot' } },
    }
    expect(await verify(honest, policy)).toMatchObject({ trusted: true, assurance_level: 'TEE_ATTESTED' })
  })

  it('is not genuine with a report over another keyset', async () => {
    const other = { ...keysetOf('confidential'), epoch: 'ab'.repeat(16) }
    const { hardware } = (await mintEvidence(other, null, relay.reporter)).binding
    const evidence = { ...honest.evidence, binding: { ...honest.evidence.binding, hardware } }
    const verdict = await verify({ ...honest, evidence })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 2 })
    expect(failures(verdict)).toMatchObject({
      report_data: 'report_data_mismatch',
      receipt_tee: 'tee_mismatch',
    })
  })

  it('is not genuine where the leaf that the report binds is another relay’s', async () => {
    const keyset = { ...keysetOf('confidential'), epoch: 'ab'.repeat(16) }
    const verdict = await verify({ ...honest, evidence: { ...honest.evidence, keyset } })
    expect(verdict.exit_code).toBe(2)
    expect(failures(verdict)).toMatchObject({
      evidence_binding: 'signature_invalid',
      receipt_keyset: 'keyset_mismatch',
    })
  })

  it('is not genuine where the host asked for the report', async () => {
    const hostReporter = async (reportData: Uint8Array) => ({
      ...(await relay.reporter(reportData)),
      report: toBase64url(relay.processor.attest({ reportData, vmpl: 0xffffffff })),
    })
    const verdict = await verify(await mintBundle('confidential', hostReporter))
    expect(verdict.trusted).toBe(false)
    expect(failures(verdict)).toMatchObject({ hardware_expected: 'vmpl_refused' })
  })

  it('refuses certificates that stand in each other’s places', async () => {
    const { hardware } = honest.evidence.binding
    if (hardware === null) throw new Error('no hardware')
    const swapped = {
      ...hardware,
      leaf_certificate: hardware.intermediate_certificate,
      intermediate_certificate: hardware.leaf_certificate,
    }
    const binding = { ...honest.evidence.binding, hardware: swapped }
    const verdict = await verify({ ...honest, evidence: { ...honest.evidence, binding } })
    expect(verdict.exit_code).toBe(2)
    expect(failures(verdict)).toEqual({ hardware_genuine: 'certificate_unused' })
  })

  it('refuses a root of its own that is not, byte for byte, the one that the caller passed in', async () => {
    const { hardware } = honest.evidence.binding
    if (hardware === null) throw new Error('no hardware')
    const root = fromBase64url(hardware.root_certificate)
    root[root.length - 1] = (root.at(-1) ?? 0) ^ 1
    const binding = {
      ...honest.evidence.binding,
      hardware: { ...hardware, root_certificate: toBase64url(root) },
    }
    expect(failures(await verify({ ...honest, evidence: { ...honest.evidence, binding } }))).toEqual({
      hardware_genuine: 'root_not_pinned',
    })
  })

  it('refuses PEM where DER is due, since PEM has many spellings', async () => {
    const { hardware } = honest.evidence.binding
    if (hardware === null) throw new Error('no hardware')
    const base64 = Buffer.from(fromBase64url(hardware.root_certificate)).toString('base64')
    const pem = toBase64url(
      new TextEncoder().encode(`-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`),
    )
    const binding = { ...honest.evidence.binding, hardware: { ...hardware, root_certificate: pem } }
    const verdict = await verify({ ...honest, evidence: { ...honest.evidence, binding } })
    expect(verdict.exit_code).toBe(5)
    expect(failures(verdict)).toEqual({ hardware_genuine: 'certificate_malformed' })
  })

  it('is malformed with a report of an unknown version', async () => {
    const { hardware } = honest.evidence.binding
    if (hardware === null) throw new Error('no hardware')
    const report = fromBase64url(hardware.report)
    report[0] = 9
    const binding = { ...honest.evidence.binding, hardware: { ...hardware, report: toBase64url(report) } }
    const verdict = await verify({ ...honest, evidence: { ...honest.evidence, binding } })
    expect(verdict.exit_code).toBe(5)
    expect(failures(verdict)).toMatchObject({ hardware_genuine: 'report_version_unsupported' })
  })

  it('says pending where the later report is still to come, and stays trusted', async () => {
    const verdict = await verify({ ...honest, hardware_path: { status: 'pending', binding: null } })
    expect(verdict.trusted).toBe(true)
    expect(notRun(verdict)).toEqual({
      hardware_path: 'hardware_path_pending',
      hardware_path_expected: 'hardware_path_pending',
      ...NO_PROVIDER,
    })
  })

  it('refuses a hardware path over another receipt', async () => {
    const binding = await bind(keysetOf('confidential'), new Uint8Array(32), relay.reporter)
    const verdict = await verify({ ...honest, hardware_path: { status: 'present', binding } })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 2 })
    expect(failures(verdict)).toEqual({ hardware_path: 'signature_invalid' })
  })

  it('refuses a hardware path without hardware', async () => {
    const { binding } = honest.hardware_path
    if (binding === null) throw new Error('no binding')
    const path = { status: 'present' as const, binding: { ...binding, hardware: null } }
    expect(failures(await verify({ ...honest, hardware_path: path }))).toEqual({
      hardware_path: 'collateral_missing',
    })
  })

  it('refuses hardware in the path of a software bundle', async () => {
    const software = await mintBundle('software', null)
    const { hardware } = honest.evidence.binding
    const { binding } = software.hardware_path
    if (binding === null) throw new Error('no binding')
    const path = { status: 'present' as const, binding: { ...binding, hardware } }
    expect(failures(await judgeBytes(toBytes({ ...software, hardware_path: path })))).toEqual({
      hardware_path: 'lane_mismatch',
    })
  })

  it('cannot be made of a receipt of the software lane: its labels are others', async () => {
    const software = await mintBundle('software', null, {
      keyset: (keyset) => ({ ...keyset, epoch: keysetOf('confidential').epoch }),
    })
    const { tee, assurance_level, relay: named } = honest.receipt
    const receipt = { ...software.receipt, lane: 'confidential' as const, assurance_level, tee, relay: named }
    const verdict = await verify({
      ...software,
      receipt,
      evidence: honest.evidence,
      hardware_path: { status: 'pending', binding: null },
    })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 4, assurance_level: null })
    expect(failures(verdict)).toMatchObject({
      receipt_signature: 'signature_invalid',
      transcript_members: 'lane_mismatch',
    })
  })

  it('cannot be made of a software bundle by relabelling all of it', async () => {
    const text = new TextDecoder().decode(toBytes(await mintBundle('software', null)))
    const relabelled = text
      .replaceAll('"lane":"software"', '"lane":"confidential"')
      .replaceAll('"platform":"software"', '"platform":"sev-snp"')
      .replaceAll('"assurance_level":"SELF_ASSERTED"', '"assurance_level":"TEE_ATTESTED"')
      .replaceAll('"tee":null', `"tee":${JSON.stringify(honest.receipt.tee)}`)
    const policy = parseVerifierPolicy(relay.policy)
    const verdict = await verifyBundle({
      bytes: new TextEncoder().encode(relabelled),
      policy,
      roots: relay.roots,
      now: NOW,
    })
    expect(verdict).toMatchObject({ trusted: false, assurance_level: null })
  })

  it('is refused whole where a receipt of it is put under the evidence of a software relay', async () => {
    const software = await mintBundle('software', null)
    const verdict = await judgeBytes(toBytes({ ...honest, evidence: software.evidence }))
    expect(verdict).toMatchObject({ trusted: false, exit_code: 2 })
    expect(failures(verdict)).toMatchObject({ receipt_keyset: 'lane_mismatch' })
  })

  it('is not genuine after its certificates have expired', async () => {
    const policy = parseVerifierPolicy(relay.policy)
    const now = NOW + 40 * 365 * 86_400_000
    const verdict = await verifyBundle({ bytes: toBytes(honest), policy, roots: relay.roots, now })
    expect(verdict.exit_code).toBe(2)
    expect(failures(verdict)).toMatchObject({
      hardware_genuine: 'certificate_expired',
      keyset_window: 'keyset_expired',
    })
  })

  it('throws on an extra root that is no certificate: that is the caller’s fault', async () => {
    const roots = [{ certificate: new Uint8Array(3), simulated: true as const }]
    await expect(verify(honest, relay.policy, roots)).rejects.toMatchObject({ code: 'argument_invalid' })
  })
})
