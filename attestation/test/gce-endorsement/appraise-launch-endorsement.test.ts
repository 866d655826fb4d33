import { describe, expect, test } from 'vitest'
import {
  appraiseLaunchEndorsement,
  type EndorsementAppraisal,
  type EndorsementTerms,
} from '../../src/gce-endorsement/appraise-launch-endorsement.js'
import {
  encodeGoldenMeasurement,
  encodeLaunchEndorsement,
  issueGoogleCertificate,
  mintGoogleRoot,
  mintLaunchEndorsement,
} from '../../../scripts/src/google-root/index.js'
import { refusedAs } from '../measure/refused-as.js'
import { digestOf, FIRMWARE, mintAuthorities, NOW, pemOf, ROOT, SIGNER } from './endorsed-firmware.js'

const { root, signer } = mintAuthorities()
const ENDORSEMENT = mintLaunchEndorsement(signer, FIRMWARE)
const TERMS: EndorsementTerms = { vcpus: 8, googleRoot: root.certificate, nowMs: NOW }

const appraise = async (
  endorsement: Uint8Array,
  change: Partial<EndorsementTerms> = {},
): Promise<EndorsementAppraisal> => appraiseLaunchEndorsement(endorsement, { ...TERMS, ...change })

const resultsOf = ({ checks }: EndorsementAppraisal): readonly string[] =>
  checks.map(({ name, result, code }) => `${name} ${result} ${code ?? '-'}`)

const PASSED = ['certificate passed -', 'signature passed -', 'provenance passed -', 'measurement passed -']

describe('an endorsement under the root that was passed in', () => {
  test('is trusted, with the measurement for the number of vcpus', async () => {
    const appraisal = await appraise(ENDORSEMENT)
    expect(resultsOf(appraisal)).toEqual(PASSED)
    expect(appraisal.trusted).toBe(true)
    expect([...(appraisal.measurement ?? [])]).toEqual([...digestOf(8)])
    expect(appraisal.golden.sevSnp).toMatchObject({ svn: 3, policy: 0x70000n })
  })

  test('takes the root as PEM too', async () => {
    expect((await appraise(ENDORSEMENT, { googleRoot: pemOf(root.certificate) })).trusted).toBe(true)
  })

  test('may bring certificates between its signer and the root', async () => {
    const between = issueGoogleCertificate(root, { ...ROOT, commonName: 'Between', serial: 7, pathLength: 0 })
    const below = issueGoogleCertificate(between, { ...SIGNER, serial: 8 })
    const caBundle = pemOf(root.certificate, between.certificate)
    expect(resultsOf(await appraise(mintLaunchEndorsement(below, { ...FIRMWARE, caBundle })))).toEqual(PASSED)
  })

  test('for one vcpu is the measurement under an SVSM', async () => {
    const { measurement } = await appraise(ENDORSEMENT, { vcpus: 1 })
    expect([...(measurement ?? [])]).toEqual([...FIRMWARE.svsmMeasurement])
  })

  test('for one vcpu and without an SVSM is the one for one VMSA', async () => {
    const firmware = {
      ...FIRMWARE,
      svsmMeasurement: new Uint8Array(),
      measurements: new Map([[1, digestOf(9)]]),
    }
    const { measurement } = await appraise(mintLaunchEndorsement(signer, firmware), { vcpus: 1 })
    expect([...(measurement ?? [])]).toEqual([...digestOf(9)])
  })

  test('is not trusted for a number of vcpus that is not endorsed', async () => {
    const appraisal = await appraise(ENDORSEMENT, { vcpus: 3 })
    expect(resultsOf(appraisal)[3]).toBe('measurement failed measurement_mismatch')
    expect([appraisal.trusted, appraisal.measurement]).toEqual([false, null])
  })
})

test('without a root, certificate and signature are not run, and nothing is trusted', async () => {
  const appraisal = await appraise(ENDORSEMENT, { googleRoot: null })
  expect(resultsOf(appraisal)).toEqual([
    'certificate not_run root_missing',
    'signature not_run root_missing',
    ...PASSED.slice(2),
  ])
  expect(appraisal.trusted).toBe(false)
})

describe('an endorsement is not trusted', () => {
  test('where one bit of what was signed differs', async () => {
    const signed = Uint8Array.from(encodeGoldenMeasurement(FIRMWARE, signer.certificate))
    const signature = signer.sign(signed)
    const at = Buffer.from(signed).indexOf(digestOf(8))
    signed[at] = 9
    const results = resultsOf(await appraise(encodeLaunchEndorsement(signed, signature)))
    expect(results.slice(0, 2)).toEqual([
      'certificate passed -',
      'signature failed endorsement_signature_invalid',
    ])
  })

  test.each([1, 255, 256, 257, 512])('with a signature of %i other bytes', async (length) => {
    const signed = encodeGoldenMeasurement(FIRMWARE, signer.certificate)
    const results = resultsOf(await appraise(encodeLaunchEndorsement(signed, new Uint8Array(length).fill(1))))
    expect(results[1]).toBe('signature failed endorsement_signature_invalid')
  })

  test('where another key than that of its certificate signed', async () => {
    const other = issueGoogleCertificate(root, SIGNER)
    const signed = encodeGoldenMeasurement(FIRMWARE, signer.certificate)
    const results = resultsOf(await appraise(encodeLaunchEndorsement(signed, other.sign(signed))))
    expect(results[1]).toBe('signature failed endorsement_signature_invalid')
  })

  test.each<[string, Partial<EndorsementTerms>, string]>([
    ['after its certificate has expired', { nowMs: SIGNER.notAfterMs + 1 }, 'certificate_expired'],
    ['before its certificate is valid', { nowMs: SIGNER.notBeforeMs - 1 }, 'certificate_not_yet_valid'],
    ['after the root has expired', { nowMs: ROOT.notAfterMs + 1 }, 'certificate_expired'],
  ])('%s', async (_, change, code) => {
    const results = resultsOf(await appraise(ENDORSEMENT, change))
    expect(results.slice(0, 2)).toEqual([`certificate failed ${code}`, `signature not_run ${code}`])
  })

  test('under another root of the same name', async () => {
    const other = mintGoogleRoot(ROOT)
    const results = resultsOf(await appraise(ENDORSEMENT, { googleRoot: other.certificate }))
    expect(results[0]).toBe('certificate failed chain_signature_invalid')
  })

  test('under a root of another name', async () => {
    const other = mintGoogleRoot({ ...ROOT, commonName: 'Another' })
    const results = resultsOf(await appraise(ENDORSEMENT, { googleRoot: other.certificate }))
    expect(results[0]).toBe('certificate failed chain_broken')
  })

  test('under a root that only its own bundle brings', async () => {
    const evil = mintGoogleRoot(ROOT)
    const caBundle = pemOf(evil.certificate)
    const endorsement = mintLaunchEndorsement(issueGoogleCertificate(evil, SIGNER), { ...FIRMWARE, caBundle })
    expect((await appraise(endorsement)).checks[0]).toMatchObject({ result: 'failed' })
  })

  test('where a signer issued the certificate', async () => {
    const below = issueGoogleCertificate(signer, { ...SIGNER, serial: 9 })
    const endorsement = mintLaunchEndorsement(below, { ...FIRMWARE, caBundle: pemOf(signer.certificate) })
    expect(resultsOf(await appraise(endorsement))[0]).toBe('certificate failed chain_broken')
  })

  test('where the path is longer than the root allows', async () => {
    const shallow = mintGoogleRoot({ ...ROOT, pathLength: 0 })
    const between = issueGoogleCertificate(shallow, {
      ...ROOT,
      commonName: 'Between',
      serial: 7,
      pathLength: 0,
    })
    const below = issueGoogleCertificate(between, { ...SIGNER, serial: 8 })
    const endorsement = mintLaunchEndorsement(below, { ...FIRMWARE, caBundle: pemOf(between.certificate) })
    const results = resultsOf(await appraise(endorsement, { googleRoot: shallow.certificate }))
    expect(results[0]).toBe('certificate failed chain_broken')
  })

  test('with a bundle of more than four certificates', async () => {
    const caBundle = pemOf(...Array.from({ length: 5 }, () => signer.certificate))
    const results = resultsOf(await appraise(mintLaunchEndorsement(signer, { ...FIRMWARE, caBundle })))
    expect(results[0]).toBe('certificate failed chain_broken')
  })

  test('with a certificate or a bundle that is none', async () => {
    const signed = encodeGoldenMeasurement(FIRMWARE, Uint8Array.of(1, 2, 3))
    const garbage = resultsOf(await appraise(encodeLaunchEndorsement(signed, signer.sign(signed))))
    expect(garbage[0]).toBe('certificate failed certificate_malformed')
    const bundle = mintLaunchEndorsement(signer, { ...FIRMWARE, caBundle: Buffer.from('no PEM') })
    expect(resultsOf(await appraise(bundle))[0]).toBe('certificate failed certificate_malformed')
  })
})

describe('where it came from', () => {
  const anonymous = { ...FIRMWARE, clSpec: 0n, commit: new Uint8Array() }
  const CHANGE_MS = Date.UTC(2024, 7, 2)

  test('has to be said since the second of August 2024', async () => {
    const endorsement = mintLaunchEndorsement(signer, { ...anonymous, timestampMs: CHANGE_MS + 1000 })
    const appraisal = await appraise(endorsement)
    expect(resultsOf(appraisal)[2]).toBe('provenance failed endorsement_malformed')
    expect(appraisal.trusted).toBe(false)
  })

  test('did not have to be said until then', async () => {
    const endorsement = mintLaunchEndorsement(signer, { ...anonymous, timestampMs: CHANGE_MS })
    expect((await appraise(endorsement)).trusted).toBe(true)
  })

  test('is said by a commit alone', async () => {
    const endorsement = mintLaunchEndorsement(signer, { ...FIRMWARE, clSpec: 0n })
    expect((await appraise(endorsement)).trusted).toBe(true)
  })
})

test('a file that is no root is refused as certificate_malformed', async () => {
  await refusedAs('certificate_malformed', () => appraise(ENDORSEMENT, { googleRoot: new Uint8Array() }))
  const two = pemOf(root.certificate, root.certificate)
  await refusedAs('certificate_malformed', () => appraise(ENDORSEMENT, { googleRoot: two }))
})

test.each([0, -1, 1.5])('%d vcpus are refused as measurement_input_malformed', async (vcpus) => {
  await refusedAs('measurement_input_malformed', () => appraise(ENDORSEMENT, { vcpus }))
})
