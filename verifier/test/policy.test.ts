import { AttestationError } from '@parley/attestation'
import type { JsonObject, JsonValue } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseVerifierPolicy } from '../src/index.js'
import { policyFor } from './minted-bundle.js'
import { hardwarePolicy } from './simulated-relay.js'
import { without } from './without.js'

const honest = policyFor('software')
const PROVIDER = {
  hardware: hardwarePolicy('00'.repeat(48)),
  image_digest: { equals: 'aa'.repeat(32) },
  policy_bundle_hash: { any: 'the provider changes it each day' },
}
const codeOf = (value: JsonValue): string => {
  try {
    parseVerifierPolicy(value)
    return 'accepted'
  } catch (error) {
    if (error instanceof AttestationError) return error.code
    throw error
  }
}
const withRelay = (member: string, value: JsonValue): JsonObject => ({
  ...honest,
  relay: { ...(honest['relay'] as JsonObject), [member]: value },
})

describe('parseVerifierPolicy', () => {
  it('reads a policy that states everything', () => {
    expect(parseVerifierPolicy(honest)).toMatchObject({ minimum_assurance: 'SELF_ASSERTED', hardware: null })
  })

  it.each(Object.keys(honest))(
    'refuses a policy without the member %s as reference_value_missing',
    (member) => {
      expect(codeOf(without(honest, member))).toBe('reference_value_missing')
    },
  )

  it.each(Object.keys(honest['relay'] as JsonObject))(
    'refuses a policy without relay.%s as reference_value_missing',
    (member) => {
      expect(codeOf({ ...honest, relay: without(honest['relay'] as JsonObject, member) })).toBe(
        'reference_value_missing',
      )
    },
  )

  it('refuses TEE_ATTESTED without a description of hardware as reference_value_missing', () => {
    expect(codeOf({ ...honest, minimum_assurance: 'TEE_ATTESTED' })).toBe('reference_value_missing')
  })

  it('refuses PROVIDER_ATTESTED without a description of a provider, or of hardware, as reference_value_missing', () => {
    const hardware = hardwarePolicy('00'.repeat(48))
    const asked = { ...honest, minimum_assurance: 'PROVIDER_ATTESTED' }
    expect(codeOf({ ...asked, provider: PROVIDER })).toBe('reference_value_missing')
    expect(codeOf({ ...asked, hardware })).toBe('reference_value_missing')
    expect(codeOf({ ...asked, hardware, provider: null })).toBe('reference_value_missing')
    expect(codeOf({ ...asked, hardware, provider: PROVIDER })).toBe('accepted')
  })

  it.each(['hardware', 'image_digest', 'policy_bundle_hash'] as const)(
    'refuses a provider without %s as reference_value_missing',
    (member) => {
      expect(codeOf({ ...honest, provider: without(PROVIDER, member) })).toBe('reference_value_missing')
    },
  )

  it('refuses a provider that is not described as one', () => {
    expect(codeOf({ ...honest, provider: { ...PROVIDER, version: { equals: '1' } } })).toBe(
      'policy_malformed',
    )
    expect(codeOf({ ...honest, provider: { ...PROVIDER, image_digest: { equals: null } } })).toBe(
      'policy_malformed',
    )
    expect(codeOf({ ...honest, provider: { ...PROVIDER, hardware: null } })).toBe('policy_malformed')
  })

  it('refuses an unknown member', () => {
    expect(codeOf({ ...honest, trust_everything: true })).toBe('policy_malformed')
    expect(codeOf(withRelay('vendor', { equals: 'x' }))).toBe('policy_malformed')
  })

  it('refuses an unknown version', () => {
    expect(codeOf({ ...honest, version: 'parley-policy-v2' })).toBe('policy_malformed')
  })

  it.each([
    ['two expectations at once', { equals: '0.1.0', any: 'why not' }],
    ['an empty list', { one_of: [] }],
    ['an `any` without a reason', { any: '' }],
    ['an `any` that is only true', { any: true }],
    ['an expectation of nothing', {}],
    ['null', null],
    ['a bare value', '0.1.0'],
  ])('refuses %s where a reference value is due', (_, value) => {
    expect(codeOf(withRelay('version', value))).toBe('policy_malformed')
  })

  it('refuses a digest in upper case, which no keyset could equal', () => {
    expect(codeOf(withRelay('profile_hash', { equals: 'A'.repeat(64) }))).toBe('policy_malformed')
  })

  it('lets only expectations be waived, never the mathematics', () => {
    const waive = (check: string): string => codeOf({ ...honest, waive: [{ check, reason: 'because' }] })
    expect(waive('relay_version')).toBe('accepted')
    expect(waive('keyset_window')).toBe('accepted')
    expect(waive('receipt_signature')).toBe('policy_malformed')
    expect(waive('hardware_genuine')).toBe('policy_malformed')
    expect(waive('report_data')).toBe('policy_malformed')
    expect(waive('no_such_check')).toBe('policy_malformed')
    expect(waive('toString')).toBe('policy_malformed')
  })

  it('refuses a waiver without a reason', () => {
    expect(codeOf({ ...honest, waive: [{ check: 'relay_version' }] })).toBe('reference_value_missing')
    expect(codeOf({ ...honest, waive: [{ check: 'relay_version', reason: '' }] })).toBe('policy_malformed')
  })

  it('refuses `any` as the launch measurement', () => {
    const hardware = { ...hardwarePolicy('00'.repeat(48)), measurement: { any: 'I like them all' } }
    expect(codeOf({ ...honest, hardware })).toBe('policy_malformed')
  })

  it('refuses hardware without a measurement that is not waived by name', () => {
    const hardware = without(hardwarePolicy('00'.repeat(48)), 'measurement')
    expect(codeOf({ ...honest, hardware })).toBe('reference_value_missing')
    const waive = [{ check: 'measurement', reason: 'a development build' }]
    expect(codeOf({ ...honest, hardware: { ...hardware, waive } })).toBe('accepted')
  })

  it('never throws outside AttestationError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...Object.keys(honest)), (value, member) => {
        expect(codeOf(value as JsonValue)).not.toBe('accepted')
        codeOf({ ...honest, [member]: value as JsonValue })
      }),
    )
  })
})
