import { describe, expect, it } from 'vitest'
import {
  appraiseEvidence,
  judgeGenuine,
  parseCertificateTable,
  reportToJson,
  verifyReport,
} from '../src/index.js'
import { codeOf, genuineInput, readVector } from './evidence-folder.js'
import { policyWith, REPORT_DATA } from './policies.js'

const judge = async (name: string) => {
  const { now, roots, evidence } = readVector(name)
  return judgeGenuine({ ...evidence(), now, roots })
}

const codes = (names: readonly string[]): Promise<(string | null)[]> =>
  Promise.all(
    names.map(async (name) => {
      const { now, roots, evidence } = readVector(name)
      return codeOf(() => verifyReport({ ...evidence(), now, roots }))
    }),
  )

const all = (names: readonly string[], code: string | null): (string | null)[] => names.map(() => code)

// Each of these was a fault of some verifier or collector of SNP evidence, found in its source or its issue tracker.
describe('faults that other verifiers had', () => {
  it("a self-made chain under AMD's own names is not genuine: roots of the evidence are hints", async () => {
    expect(await codes(['root-forged-names', 'root-not-pinned'])).toEqual(all(['', ''], 'root_not_pinned'))
  })

  it('the kind of leaf follows SIGNER_INFO: a VLEK report is not checked with a VCEK, nor the reverse', async () => {
    const names = [
      'kind-vlek-report-vcek-leaf',
      'kind-vcek-report-vlek-leaf',
      'kind-vcek-of-asvk',
      'kind-vlek-of-ask',
    ]
    expect(await codes(names)).toEqual(all(names, 'leaf_kind_mismatch'))
    const reserved = ['signing-key-none', 'signing-key-2', 'signing-key-6']
    expect(await codes(reserved)).toEqual(all(reserved, 'signing_key_unsupported'))
  })

  it('the hardware id is compared with CHIP_ID, all of it, in 64 bytes and in 8', async () => {
    const names = [
      'chip-id-other',
      'chip-id-last-byte',
      'chip-id-turin-tail',
      'chip-id-turin-64',
      'chip-id-milan-8',
    ]
    expect(await codes(names)).toEqual(all(names, 'chip_id_mismatch'))
  })

  it('a missing extension is an error, not a comparison skipped', async () => {
    const names = [
      'leaf-without-3.1',
      'leaf-without-3.2',
      'leaf-without-3.3',
      'leaf-without-3.8',
      'leaf-turin-without-fmc',
    ]
    expect(await codes(names)).toEqual(all(names, 'certificate_malformed'))
  })

  it('bytes 48 to 71 of r and s, and the 368 bytes after them, are zero', async () => {
    const names = [
      'r-long',
      's-long',
      'signature-tail',
      'signature-last-byte',
      'r-zero',
      's-zero',
      'r-is-order',
      's-is-order',
    ]
    expect(await codes(names)).toEqual(all(names, 'report_signature_invalid'))
  })

  it('a high s, and an r that begins with a zero byte, are as good as any', async () => {
    const names = ['signature-high-s', 'signature-low-s', 'signature-short-r']
    expect(await codes(names)).toEqual(all(names, null))
  })

  it('a report has exactly 1184 bytes', async () => {
    const names = ['report-short', 'report-trailing-byte', 'report-empty']
    expect(await codes(names)).toEqual(all(names, 'report_malformed'))
  })

  it("AMD's leaves are taken as they are: trailerField written or not, no key identifiers, serial zero", async () => {
    expect(await codes(['leaf-with-trailer-field', 'milan-v3-vlek', 'milan-v3-vcek'])).toEqual([
      null,
      null,
      null,
    ])
  })

  it('versions 2 to 5 are read, each by its own layout; 1 and 6 are refused', async () => {
    const read = ['milan-v2-vcek', 'milan-v3-vcek', 'milan-v4-vcek', 'milan-v5-vcek']
    expect(await codes(read)).toEqual(all(read, null))
    expect(await codes(['report-version-1', 'report-version-6'])).toEqual([
      'report_malformed',
      'report_version_unsupported',
    ])
    expect(await codes(['reserved-mitigations-in-v4', 'reserved-cpuid-in-v2'])).toEqual(
      all(['', ''], 'report_malformed'),
    )
  })

  it('a TCB of Turin is read by its own layout, FMC first', async () => {
    const { signed } = await appraiseEvidence(
      genuineInput('turin-v5-vcek'),
      { policy: policyWith(), reportData: REPORT_DATA },
      genuineInput('turin-v5-vcek'),
    )
    const view = signed === null ? null : reportToJson(signed.report, signed.product)
    expect(view?.reported_tcb.parts).toEqual({ fmc: 1, bootloader: 1, tee: 1, snp: 4, microcode: 81 })
    const names = [
      'tcb-turin-fmc',
      'tcb-turin-bootloader',
      'tcb-turin-tee',
      'tcb-turin-snp',
      'tcb-turin-microcode',
    ]
    expect(await codes(names)).toEqual(all(names, 'tcb_mismatch'))
  })

  it('a leaf of Turin has fmcSPL, no fourth SPL, and 8 bytes of hardware id', async () => {
    expect(await codes(['turin-v5-vcek', 'leaf-turin-with-spl4'])).toEqual([null, 'certificate_malformed'])
  })

  it('Bergamo and Siena are Genoa', async () => {
    expect(await judge('bergamo-v5-vcek')).toMatchObject({ genuine: true, product: 'Genoa' })
  })

  it('the stepping in productName says nothing: every Milan leaf says B0', async () => {
    expect(await judge('milan-v3-vcek')).toMatchObject({ genuine: true, product: 'Milan' })
    expect(await codes(['leaf-product-name-other'])).toEqual(['product_mismatch'])
  })

  it('the product line never comes from the CPUID that the guest sees', async () => {
    expect(await judge('quote-unknown-entry')).toMatchObject({ genuine: true, product: 'Milan' })
  })

  it('a CHIP_ID of zeros is normal for a VLEK and refused for a VCEK; MASK_CHIP_KEY is another thing', async () => {
    const names = [
      'milan-v2-vlek',
      'chip-id-masked',
      'chip-id-masked-hwid-zero',
      'mask-chip-key-bit',
      'signature-zero',
    ]
    expect(await codes(names)).toEqual([
      null,
      'chip_id_mismatch',
      'chip_id_mismatch',
      null,
      'report_signature_invalid',
    ])
  })

  it('an unknown bit of PLATFORM_INFO is shown, and left to the policy', async () => {
    const judged = await judge('platform-info-unknown-bit')
    expect(judged).toMatchObject({ genuine: true, report: { platform_info: { unknown_bits: '0x40' } } })
  })

  it('TSME and every other named bit of PLATFORM_INFO can be required, forbidden or left alone', async () => {
    const check = async (rule: string): Promise<boolean> => {
      const input = genuineInput('milan-v3-vcek')
      const platform_info = { ...policyWith().platform_info, tsme_enabled: rule }
      const expected = { policy: policyWith({ platform_info }), reportData: REPORT_DATA }
      return (await appraiseEvidence(input, expected, input)).trusted
    }
    expect([await check('require'), await check('forbid'), await check('any')]).toEqual([false, true, true])
  })

  it('debug and the privilege level are checked, and a report that the host asked for is never taken', async () => {
    const check = async (name: string): Promise<unknown[]> => {
      const input = genuineInput(name)
      const { checks } = await appraiseEvidence(
        input,
        { policy: policyWith(), reportData: REPORT_DATA },
        input,
      )
      return checks.filter(({ result }) => result === 'failed').map(({ code }) => code)
    }
    expect(await check('policy-debug')).toEqual(['debug_enabled'])
    expect(await check('vmpl-2')).toEqual(['vmpl_refused'])
    expect(await check('vmpl-host')).toEqual(['vmpl_refused', 'vmpl_refused'])
  })

  it('no order of TCBs is invented: committed may be under current, launch above committed', async () => {
    expect(await codes(['firmware-provisional', 'launch-tcb-above-committed'])).toEqual([null, null])
  })

  it('the leaf is of REPORTED_TCB, not of CURRENT_TCB', async () => {
    expect(await codes(['tcb-reported-not-current'])).toEqual(['tcb_mismatch'])
  })

  it('a CRL counts only where the root signed it, and then by the serial of the intermediate, not of the leaf', async () => {
    expect(await codes(['crl-by-stranger', 'crl-of-other-root', 'crl-of-intermediate'])).toEqual([
      'crl_signature_invalid',
      'crl_issuer_mismatch',
      'crl_issuer_mismatch',
    ])
    const revoked = ['crl-revokes-intermediate', 'crl-revokes-root', 'crl-revokes-intermediate-stale']
    expect(await codes(revoked)).toEqual(all(revoked, 'certificate_revoked'))
    expect(await codes(['crl-empty', 'crl-revokes-another'])).toEqual([null, null])
  })

  it('a CRL past its nextUpdate, of a time to come, or without a nextUpdate is none', async () => {
    expect(await codes(['crl-not-yet-valid', 'crl-without-next-update'])).toEqual([
      'crl_not_yet_valid',
      'crl_malformed',
    ])
    const input = genuineInput('crl-past-next-update')
    const policy = policyWith({ crl: { use: 'required', max_age_days: 36500 } })
    const { checks } = await appraiseEvidence(input, { policy, reportData: REPORT_DATA }, input)
    expect(checks.find(({ name }) => name === 'crl')?.code).toBe('crl_expired')
  })

  it('a CRL is looked at for a VLEK as well: its intermediate is the ASVK', async () => {
    const input = genuineInput('milan-v3-vlek')
    const { crl } = genuineInput('crl-empty')
    const { code } = await judgeGenuine({ ...input, ...(crl === undefined ? {} : { crl }) })
    // Another vendor's keys: the CRL is judged, and not passed over.
    expect(code).toBe('crl_signature_invalid')
  })

  it('the end of a VLEK, which lasts a year, is a matter of the policy; that of its authorities is not', async () => {
    const input = genuineInput('milan-v3-vlek')
    const late = { ...input, now: new Date(input.now.getTime() + 370 * 86_400_000) }
    const judgeLate = async (vlek: number): Promise<boolean> => {
      const policy = policyWith({ leaf_grace_days: { vcek: 0, vlek }, leaf_age: { any: 'no matter' } })
      return (await appraiseEvidence(late, { policy, reportData: REPORT_DATA }, late)).trusted
    }
    expect([await judgeLate(0), await judgeLate(30)]).toEqual([false, true])
    expect((await judgeGenuine(late)).code).toBe('certificate_expired')
  })

  it('dates are judged at the time that is passed in, for leaf, intermediate and root', async () => {
    const expired = ['leaf-expired', 'intermediate-expired', 'root-expired']
    expect(await codes(expired)).toEqual(all(expired, 'certificate_expired'))
    const early = ['leaf-not-yet-valid', 'intermediate-not-yet-valid', 'all-not-yet-valid']
    expect(await codes(early)).toEqual(all(early, 'certificate_not_yet_valid'))
  })

  it('an offset and a length that wrap at 32 bits, overlap or lie outside are refused before anything is copied', async () => {
    const names = [
      'quote-u32-wrap',
      'quote-overlap',
      'quote-into-header',
      'quote-past-end',
      'quote-17-entries',
    ]
    const read = names.map((name) => codeOf(() => readVector(name).evidence()))
    expect(await Promise.all(read)).toEqual(all(names, 'certificate_table_malformed'))
  })

  it('a table holds DER or PEM, an ASVK in the place of the ASK, or no leaf at all', async () => {
    expect(await codes(['quote-der', 'quote-pem', 'quote-empty-table'])).toEqual([
      null,
      null,
      'collateral_missing',
    ])
    expect(parseCertificateTable(new Uint8Array(16384))).toEqual([])
  })
})
