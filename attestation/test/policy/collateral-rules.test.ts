import { describe, expect, it } from 'vitest'
import { appraise, chipOf, DAY_MS, failures, NOW_MS, resultOf } from './simulated-appraisal.js'

const chip = await chipOf('Milan')
const vlek = await chipOf('Milan', 'vlek')
const stranger = await chipOf('Genoa')

const required = (max_age_days: number): Record<string, unknown> => ({
  crl: { use: 'required', max_age_days },
})
const ifPresent = { crl: { use: 'if_present', max_age_days: 30, any: 'not everybody has one' } }
const notUsed = { crl: { use: 'not_used', any: 'offline' } }

const at = (days: number): number => NOW_MS + days * DAY_MS
const INTERMEDIATE = Uint8Array.of(1, 0, 1)
const revoking = chip.vendor.issueCrl({ revoked: [{ serial: INTERMEDIATE, revokedAtMs: at(-1) }] })

describe('a CRL that is required', () => {
  it('has to be there', async () => {
    expect(await failures(chip, { policy: required(30) })).toEqual({ crl: 'crl_missing' })
  })

  it('is taken where it is new, for VCEK and VLEK', async () => {
    for (const one of [chip, vlek])
      expect(await failures(one, { policy: required(7), crl: one.vendor.issueCrl() })).toEqual({})
  })

  it('is too old a moment after its greatest age', async () => {
    const crl = chip.vendor.issueCrl({ thisUpdateMs: at(-7) })
    expect(await failures(chip, { policy: required(7), crl })).toEqual({})
    expect(await failures(chip, { policy: required(7), crl, now: NOW_MS + 1 })).toEqual({
      crl: 'crl_too_old',
    })
    expect(await failures(chip, { policy: required(6), crl })).toEqual({ crl: 'crl_too_old' })
  })

  it('has expired at its nextUpdate, not a second later', async () => {
    const crl = chip.vendor.issueCrl({ nextUpdateMs: at(1) })
    const judge = (now: number): Promise<unknown> => failures(chip, { policy: required(400), crl, now })
    expect(await judge(at(1) - 1)).toEqual({})
    expect(await judge(at(1))).toEqual({ crl: 'crl_expired' })
    expect(await judge(at(200))).toEqual({ crl: 'crl_expired' })
  })

  it('counts from its thisUpdate on', async () => {
    const crl = chip.vendor.issueCrl({ thisUpdateMs: at(0) })
    expect(await failures(chip, { policy: required(30), crl })).toEqual({})
    expect(await failures(chip, { policy: required(30), crl, now: NOW_MS - 1 })).toEqual({
      revocation: 'crl_not_yet_valid',
    })
  })
})

describe('a CRL that is not required', () => {
  it('may be missing, and the result says so', async () => {
    for (const policy of [ifPresent, notUsed]) {
      const appraisal = await appraise(chip, { policy })
      expect(appraisal.trusted).toBe(true)
      expect([resultOf(appraisal, 'revocation'), resultOf(appraisal, 'crl')]).toEqual(['any', 'any'])
      expect(appraisal.anys).toContainEqual({ check: 'crl', reason: policy.crl.any })
    }
  })

  it('has to be new where the policy looks at it, and only there', async () => {
    const crl = chip.vendor.issueCrl({ thisUpdateMs: at(-40) })
    expect(await failures(chip, { policy: ifPresent, crl })).toEqual({ crl: 'crl_too_old' })
    expect(await failures(chip, { policy: notUsed, crl })).toEqual({})
  })
})

describe.each([
  ['required', required(400)],
  ['if_present', ifPresent],
  ['not_used', notUsed],
])('where the policy says %s, a CRL that is there', (_, policy) => {
  it('is verified: it revokes the intermediate', async () => {
    expect(await failures(chip, { policy, crl: revoking })).toEqual({ revocation: 'certificate_revoked' })
  })

  it('is verified: it has to be that of the root', async () => {
    const crl = stranger.vendor.issueCrl()
    expect(await failures(chip, { policy, crl })).toEqual({ revocation: 'crl_issuer_mismatch' })
  })

  it('is verified: it has to be signed', async () => {
    const crl = chip.vendor.issueCrl()
    crl[crl.length - 1] = (crl.at(-1) ?? 0) ^ 1
    expect(await failures(chip, { policy, crl })).toEqual({ revocation: 'crl_signature_invalid' })
  })

  it('is verified: it has to be one', async () => {
    expect(await failures(chip, { policy, crl: Uint8Array.of(1, 2, 3) })).toEqual({
      revocation: 'crl_malformed',
    })
  })
})

describe('the age of the leaf', () => {
  // Leaves are issued a day before.
  it.each([
    [1, 0, true],
    [0, 0, false],
    [30, 29, true],
    [30, 30, false],
  ])('at most %i days, judged %i days later', async (max_days, later, taken) => {
    const failed = await failures(chip, { policy: { leaf_age: { max_days } }, now: at(later) })
    expect(failed).toEqual(taken ? {} : { leaf_age: 'certificate_too_old' })
  })
})

describe('the grace of a leaf', () => {
  const ended = at(365)
  const grace = (vcek: number, vlekDays: number): Record<string, unknown> => ({
    leaf_age: { any: 'not looked at' },
    leaf_grace_days: { vcek, vlek: vlekDays },
  })

  it('lets a VLEK count for so many days after its end, and shows it', async () => {
    expect(await failures(vlek, { policy: grace(0, 30), now: ended })).toEqual({})
    const appraisal = await appraise(vlek, { policy: grace(0, 30), now: ended + 30 * DAY_MS })
    expect(appraisal.trusted).toBe(true)
    expect(resultOf(appraisal, 'validity')).toBe('any')
    expect(await failures(vlek, { policy: grace(0, 30), now: ended + 30 * DAY_MS + 1 })).toEqual({
      validity: 'certificate_expired',
    })
  })

  it('is of its own kind: that of VCEKs is none for VLEKs', async () => {
    expect(await failures(vlek, { policy: grace(30, 0), now: ended + 1 })).toEqual({
      validity: 'certificate_expired',
    })
  })

  it('is none for intermediate and root', async () => {
    expect(await failures(chip, { policy: grace(36500, 36500), now: at(365 * 20 + 1) })).toEqual({
      validity: 'certificate_expired',
    })
  })

  it('is none before a leaf counts', async () => {
    expect(await failures(vlek, { policy: grace(36500, 36500), now: at(-2) })).toEqual({
      validity: 'certificate_not_yet_valid',
    })
  })
})
