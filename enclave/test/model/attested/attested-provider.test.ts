import { canonicalBytes, type Evidence, type JsonObject, toBase64url } from '@parley/protocol'
import { beforeAll, describe, expect, test } from 'vitest'
import { AttestedProvider, type ProviderToAppraise } from '../../../src/model/attested/attested-provider.js'
import { fresh } from '../../boot.js'
import { type AttestedDouble, expectations, NOW, startAttestedDouble } from '../doubles/attested-double.js'

const silent = () => ({ status: 500, body: '' })
const nonce = toBase64url(fresh(32))

let double: AttestedDouble
let evidence: Evidence
let terms: Awaited<ReturnType<typeof expectations>>

beforeAll(async () => {
  double = await startAttestedDouble(silent)
  evidence = await double.evidenceFor(nonce)
  terms = await expectations()
})

const appraise = (change: Partial<ProviderToAppraise> = {}) =>
  AttestedProvider.appraise({ ...terms, nonce, evidence: canonicalBytes(evidence), ...change })

const faultOf = async (change: Partial<ProviderToAppraise>): Promise<string> => {
  const appraisal = await appraise(change)
  return appraisal.ok ? 'none' : appraisal.fault
}

const altered = (change: JsonObject): Partial<ProviderToAppraise> => ({
  evidence: canonicalBytes({ ...evidence, ...change }),
})

const binding = (change: JsonObject) => altered({ binding: { ...evidence.binding, ...change } })
const hardware = (change: JsonObject) => binding({ hardware: { ...evidence.binding.hardware, ...change } })
const expecting = (change: Partial<ProviderToAppraise['expected']>) => ({
  expected: { ...terms.expected, ...change },
})

test('evidence as expected gives the key to seal to, within the dates of its keyset', async () => {
  const appraisal = await appraise()
  if (!appraisal.ok) throw new Error(appraisal.fault)
  const { provider } = appraisal
  const { not_before, not_after } = double.keys.keyset
  expect(provider.keyAt(not_before)).toEqual(double.keys.gateway.config)
  expect(provider.keyAt(not_after)).toEqual(double.keys.gateway.config)
  expect(provider.keyAt(not_before - 1)).toBeUndefined()
  expect(provider.keyAt(not_after + 1)).toBeUndefined()
})

test('the evidence is kept with its digest', async () => {
  const appraisal = await appraise()
  if (!appraisal.ok) throw new Error(appraisal.fault)
  expect(canonicalBytes(appraisal.provider.evidence)).toEqual(canonicalBytes(evidence))
  expect(appraisal.provider.evidenceDigest).toMatch(/^[0-9a-f]{64}$/)
})

describe('nothing is sealed where', () => {
  test.each<[string, () => Partial<ProviderToAppraise>, string]>([
    ['the evidence is empty', () => ({ evidence: new Uint8Array(0) }), 'evidence_malformed'],
    [
      'its JSON is not canonical',
      () => ({ evidence: new TextEncoder().encode(JSON.stringify(evidence, null, 1)) }),
      'evidence_malformed',
    ],
    ['it has an unknown member', () => altered({ extra: 1 }), 'evidence_malformed'],
    ['it has no hardware', () => binding({ hardware: null }), 'evidence_malformed'],
    ['it was made for another nonce', () => ({ nonce: toBase64url(fresh(32)) }), 'evidence_not_fresh'],
    ['it was made at boot', () => altered({ nonce: null }), 'evidence_not_fresh'],
    [
      'another keyset stands in its place',
      () => altered({ keyset: { ...evidence.keyset, previous: '0'.repeat(64) } }),
      'binding_invalid',
    ],
    ['possession is not proven', () => binding({ possession: toBase64url(fresh(64)) }), 'binding_invalid'],
    ['the report is altered', () => hardware({ report: toBase64url(fresh(1184)) }), 'hardware_not_expected'],
    [
      'a certificate stands in the wrong place',
      () => hardware({ leaf_certificate: evidence.binding.hardware?.root_certificate ?? '' }),
      'hardware_not_expected',
    ],
    ['the root is not AMD’s, and no other is given', () => ({ roots: [] }), 'hardware_not_expected'],
    [
      'the certificates are past their dates',
      () => ({ nowSeconds: NOW + 100 * 365 * 86_400 }),
      'hardware_not_expected',
    ],
    ['it runs another image', () => expecting({ image_digest: 'bb'.repeat(32) }), 'release_not_expected'],
    [
      'it runs under another policy',
      () => expecting({ policy_bundle_hash: 'bb'.repeat(32) }),
      'release_not_expected',
    ],
    ['the keyset is not yet valid', () => ({ nowSeconds: NOW - 1 }), 'keyset_outside_dates'],
  ])('%s', async (_, change, fault) => {
    expect(await faultOf(change())).toBe(fault)
  })

  test('its path leads to another report', async () => {
    const other = await double.evidenceFor(toBase64url(fresh(32)))
    const { path, leaf_index, tree_size, possession } = other.binding
    expect(await faultOf(binding({ path, leaf_index, tree_size, possession }))).toBe('binding_invalid')
  })

  test('a report over another keyset is put under its own', async () => {
    const other = await (await startAttestedDouble(silent)).evidenceFor(nonce)
    expect(await faultOf(binding({ hardware: other.binding.hardware }))).toBe('hardware_not_expected')
  })

  test('the measurement is another one', async () => {
    const measurement: typeof terms.expected.hardware.measurement = { equals: '02'.repeat(48) }
    expect(await faultOf(expecting({ hardware: { ...terms.expected.hardware, measurement } }))).toBe(
      'hardware_not_expected',
    )
  })

  test('the report does not cover the program', async () => {
    const hardware = { ...terms.expected.hardware, launch_covers: 'firmware' } as const
    expect(await faultOf(expecting({ hardware }))).toBe('hardware_not_expected')
  })

  test('it speaks for the software lane', async () => {
    const software = await startAttestedDouble(silent, 'software')
    const spoken = await software.evidenceFor(nonce)
    expect(await faultOf({ evidence: canonicalBytes(spoken) })).toBe('evidence_malformed')
  })
})
