import { ATTESTS, bootOfImage, encodeQuote, mintTpmIssuer, mintTpmRoot, rsaPublic } from '@parley/scripts'
import { beforeAll, describe, expect, it } from 'vitest'
import { appraiseBoot, withBootClaims } from '../../src/index.js'
import { DATES, DAY, failures, IMAGE, judge, type Machine, machine, NOW, policyWith } from './kit.js'

const flipped = (bytes: Uint8Array, at: number): Uint8Array => {
  const changed = Uint8Array.from(bytes)
  changed[at] = (changed[at] ?? 0) ^ 1
  return changed
}

describe('boot evidence', () => {
  let honest: Machine
  let other: Machine

  beforeAll(async () => {
    honest = await machine()
    other = await machine()
  })

  it('of a machine that booted what was expected passes in every step, under the root of its TPM', async () => {
    const appraisal = await judge(honest)
    expect(failures(appraisal)).toEqual({})
    expect(appraisal.checks.map(({ result }) => result)).not.toContain('not_run')
    expect(appraisal).toMatchObject({ root: 'google', facts: { secureBoot: true } })
    expect(appraisal.anys).toEqual([{ check: 'boot_pcrs.0', reason: "the provider's firmware" }])
  })

  it('without a root of TPMs bears out nothing, and fails nothing: root_missing', async () => {
    const appraisal = await judge({ ...honest, tpmRoots: [] })
    expect(failures(appraisal)).toEqual({})
    expect(appraisal.checks.find(({ name }) => name === 'boot_root')).toMatchObject({
      result: 'not_run',
      code: 'root_missing',
    })
    expect(appraisal.root).toBe('nobody')
  })

  it('under a root that is passed in as simulated rests on the simulated root', async () => {
    const tpmRoots = honest.tpmRoots.map(({ certificate }) => ({ certificate, kind: 'simulated' as const }))
    expect((await judge({ ...honest, tpmRoots })).root).toBe('simulated root')
  })

  it('by the key of another TPM is refused as attestation_key_mismatch', async () => {
    const { expected } = honest
    const foreign = { ...other, expected: { ...other.expected, keyDigest: expected.keyDigest } }
    expect(failures(await judge(foreign))).toMatchObject({ boot_key: 'attestation_key_mismatch' })
  })

  it('with the quote of another TPM is refused as quote_signature_invalid', async () => {
    const { quote, signature } = await other.tpm.attester.quote(honest.expected.qualifyingData)
    expect(failures(await judge(honest, { quote, signature }))).toEqual({
      boot_quote: 'quote_signature_invalid',
    })
  })

  it('that was quoted for another report is refused as qualifying_data_mismatch', async () => {
    const changed = await honest.tpm.attester.quote(flipped(honest.expected.qualifyingData, 0))
    expect(failures(await judge(honest, changed))).toEqual({
      boot_qualifying_data: 'qualifying_data_mismatch',
    })
  })

  it('with another log is refused as event_log_mismatch, and shows nothing of it', async () => {
    const { eventLog } = (await machine(bootOfImage({ ...IMAGE, commandLine: 'init=/bin/sh' }))).evidence
    const appraisal = await judge(honest, { eventLog })
    expect(failures(appraisal)).toEqual({ boot_log: 'event_log_mismatch' })
    expect(appraisal.facts).toBeNull()
  })

  it('with registers that the TPM did not quote is refused as pcr_not_quoted', async () => {
    const { tpm, expected } = honest
    const fields = tpm.fields(expected.qualifyingData)
    const quote = encodeQuote({ ...fields, pcrs: fields.pcrs.filter((pcr) => pcr !== 4) })
    expect(failures(await judge(honest, { quote, signature: tpm.sign(quote) }))).toMatchObject({
      boot_log: 'event_log_mismatch',
    })
    const more = { ...expected, policy: policyWith({ pcrs: { '14': { any: 'none' } } }) }
    expect(failures(await judge({ ...honest, expected: more }))).toEqual({ boot_pcrs: 'pcr_not_quoted' })
  })

  it('with a register of another value is refused as pcr_mismatch', async () => {
    const policy = policyWith({ pcrs: { '0': { equals: '00'.repeat(32) } } })
    const expected = { ...honest.expected, policy }
    expect(failures(await judge({ ...honest, expected }))).toEqual({ boot_pcrs: 'pcr_mismatch' })
  })

  it.each([
    ['a key that is not restricted', ATTESTS & ~0x0001_0000],
    ['a key that may leave its TPM', ATTESTS & ~0x0000_0002],
    ['a key that was made outside', ATTESTS & ~0x0000_0020],
    ['a key that decrypts', ATTESTS | 0x0002_0000],
  ])('by %s is refused as attestation_key_unsuitable', async (_, attributes) => {
    const weak = await machine(bootOfImage(IMAGE), { attributes })
    expect(failures(await judge(weak))).toEqual({ boot_key: 'attestation_key_unsuitable' })
  })

  it('whose key no certificate is of is refused: collateral_missing, attestation_key_mismatch', async () => {
    expect(failures(await judge(honest, { akCertificates: [] }))).toEqual({ boot_root: 'collateral_missing' })
    const { akCertificates } = other.evidence
    expect(failures(await judge(honest, { akCertificates }))).toEqual({
      boot_root: 'attestation_key_mismatch',
    })
  })

  it('whose chain ends at another root of the same name is refused as chain_signature_invalid', async () => {
    const stranger = mintTpmRoot('ec', DATES).certificate
    const tpmRoots = [{ certificate: stranger, kind: 'google' as const }]
    expect(failures(await judge({ ...honest, tpmRoots }))).toEqual({ boot_root: 'chain_signature_invalid' })
  })

  it('whose chain ends at a root of another name is refused as chain_broken', async () => {
    const stranger = mintTpmRoot('rsa', DATES, 'Somebody').certificate
    const tpmRoots = [{ certificate: stranger, kind: 'google' as const }]
    expect(failures(await judge({ ...honest, tpmRoots }))).toEqual({ boot_root: 'chain_broken' })
  })

  it.each([
    ['an expired certificate', NOW + 2 * DAY, 'certificate_expired'],
    ['a certificate of the future', NOW - 2 * DAY, 'certificate_not_yet_valid'],
  ])('with %s is refused', async (_, now, code) => {
    const { evidence, expected, tpmRoots } = honest
    expect(failures(await appraiseBoot(evidence, expected, { now, tpmRoots }))).toEqual({ boot_root: code })
  })

  it('with a certificate that no authority issued is refused as chain_broken', async () => {
    const issuer = mintTpmIssuer('ec', mintTpmRoot('ec', DATES, 'Somebody'), DATES)
    const akCertificates = [...honest.evidence.akCertificates, issuer.certificate]
    expect(failures(await judge(honest, { akCertificates }))).toEqual({ boot_root: 'chain_broken' })
  })

  it.each([
    ['a root that is none', Uint8Array.of(1, 2, 3)],
    ['an empty file', new Uint8Array()],
  ])('is not judged under %s: argument_invalid', async (_, certificate) => {
    const tpmRoots = [{ certificate, kind: 'google' as const }]
    await expect(judge({ ...honest, tpmRoots })).rejects.toMatchObject({ code: 'argument_invalid' })
  })

  it.each([
    ['akPublic', 'boot_evidence_malformed'],
    ['quote', 'boot_evidence_malformed'],
    ['signature', 'boot_evidence_malformed'],
    ['eventLog', 'event_log_malformed'],
  ] as const)('whose %s is cut short, or goes on, is refused as %s', async (part, code) => {
    const bytes = honest.evidence[part]
    for (const changed of [bytes.subarray(0, -1), Uint8Array.of(...bytes, 0), new Uint8Array()])
      expect(failures(await judge(honest, { [part]: changed }))).toEqual({ boot_format: code })
  })

  it('by a key of another kind than it signs as is refused as quote_signature_invalid', async () => {
    const akPublic = rsaPublic(new Uint8Array(256).fill(0xff))
    expect(failures(await judge(honest, { akPublic }))).toMatchObject({
      boot_quote: 'quote_signature_invalid',
    })
  })

  it('is no evidence any more with one bit of the quote, its signature or the key flipped', async () => {
    for (const part of ['quote', 'signature', 'akPublic'] as const)
      for (let at = 0; at < honest.evidence[part].length; at += 5) {
        const broken = failures(await judge(honest, { [part]: flipped(honest.evidence[part], at) }))
        expect(Object.keys(broken).length).toBeGreaterThan(0)
      }
  })
})

describe('the claims of a machine with a TPM', () => {
  const amd = { status: 'passed', root: 'amd' } as const
  const none = { status: 'not_run', root: 'nobody' } as const
  const launched = { launch: amd, boot: none, app: none }

  it('are three, each with its root: launch of AMD, boot and app of whoever certifies the TPM', async () => {
    expect(withBootClaims(launched, 'firmware', await judge(await machine()))).toEqual({
      launch: amd,
      boot: { status: 'passed', root: 'google' },
      app: { status: 'passed', root: 'google' },
    })
  })

  it('are of launch alone where no root of TPMs is at hand', async () => {
    const boot = await judge({ ...(await machine()), tpmRoots: [] })
    expect(withBootClaims(launched, 'firmware', boot)).toEqual({ launch: amd, boot: none, app: none })
  })

  it('say nothing of the app where the launch has not passed, and what AMD says of it where that covers it', async () => {
    const boot = await judge(await machine())
    expect(withBootClaims({ ...launched, launch: none }, 'firmware', boot).app.status).toBe('not_run')
    const failed = { status: 'failed', root: 'amd' } as const
    expect(withBootClaims({ ...launched, launch: failed }, 'firmware', boot).app.status).toBe('failed')
    expect(withBootClaims({ ...launched, app: amd }, 'app', boot).app).toEqual(amd)
  })

  it('fail where the boot was another one', async () => {
    const boot = await judge(await machine(bootOfImage({ ...IMAGE, secureBoot: false })))
    expect(withBootClaims(launched, 'firmware', boot)).toMatchObject({
      boot: { status: 'failed' },
      app: { status: 'failed' },
    })
  })
})
