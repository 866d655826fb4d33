import type { Check } from '@parley/attestation'
import { describe, expect, it } from 'vitest'
import type { FailureCode } from '../../src/failure-code.js'
import { cpuSubmod } from '../../src/results/cpu-submod.js'
import { drawVerdict, NOTHING, type Verdict } from '../../src/verdict.js'

type Step = readonly [string, Check['result']]

const STEPS: readonly Step[] = [
  ['report_data', 'passed'],
  ['asked_by_guest', 'passed'],
  ['measurement', 'passed'],
  ['debug', 'passed'],
  ['tcb_minimum', 'passed'],
  ['chip_id', 'any'],
]

/** A verdict on genuine hardware whose steps came out so. */
const verdict = (...changed: readonly Step[]): Verdict => {
  const steps = new Map([...STEPS, ...changed])
  return drawVerdict({
    ...NOTHING,
    procedure: 'evidence',
    findings: [
      { name: 'hardware_genuine', result: 'passed' },
      { name: 'root_accepted', result: 'passed' },
    ],
    claims: { ...NOTHING.claims, app: { status: 'passed', root: 'amd' } },
    hardware: Array.from(steps, ([name, result]) => ({
      name,
      result,
      code: result === 'failed' ? ('measurement_mismatch' as const) : null,
      trusted_for: 'amd' as const,
    })),
  })
}

const notGenuine = (code: FailureCode): Verdict =>
  drawVerdict({
    ...NOTHING,
    procedure: 'evidence',
    findings: [{ name: 'hardware_genuine', result: 'failed', code }],
  })

describe('cpuSubmod', () => {
  it('affirms what passed, whatever identity the policy left open', () => {
    expect(cpuSubmod(verdict())).toMatchObject({ status: 'affirming', vector: { hardware: 2 } })
  })

  it.each<[string, string, number, string]>([
    ['report_data', 'instance-identity', 97, 'contraindicated'],
    ['asked_by_guest', 'instance-identity', 96, 'contraindicated'],
    ['chip_id', 'instance-identity', 97, 'contraindicated'],
    ['csp_id', 'instance-identity', 97, 'contraindicated'],
    ['chip_id_denied', 'instance-identity', 96, 'contraindicated'],
    ['products', 'hardware', 96, 'contraindicated'],
    ['signing_keys', 'hardware', 96, 'contraindicated'],
    ['tcb_minimum', 'hardware', 32, 'warning'],
    ['committed_equals_current', 'hardware', 32, 'warning'],
    ['tcb_floor_list', 'hardware', 32, 'warning'],
    ['tcb_order', 'hardware', 32, 'warning'],
    ['mitigations', 'hardware', 32, 'warning'],
    ['leaf_age', 'hardware', 32, 'warning'],
    ['crl', 'hardware', 32, 'warning'],
    ['guest_svn_minimum', 'executables', 32, 'warning'],
    ['platform_info', 'hardware', 32, 'warning'],
    ['measurement', 'executables', 33, 'contraindicated'],
    ['guest_policy', 'configuration', 96, 'contraindicated'],
    ['vmpl', 'configuration', 96, 'contraindicated'],
    ['id_block', 'configuration', 96, 'contraindicated'],
    ['host_data', 'configuration', 96, 'contraindicated'],
    ['an expectation of a later version', 'configuration', 96, 'contraindicated'],
  ])('where %s failed, %s is %i and the part is %s', (step, claim, value, status) => {
    const submod = cpuSubmod(verdict([step, 'failed']))
    expect(submod.status).toBe(status)
    expect(submod.vector).toMatchObject({ [claim]: value })
  })

  it('calls the memory of a guest that may be debugged visible', () => {
    expect(cpuSubmod(verdict(['debug', 'failed']))).toMatchObject({
      status: 'contraindicated',
      vector: { 'runtime-opaque': 96, configuration: 96 },
    })
  })

  it('takes the worst of several failures of one claim', () => {
    const { vector } = cpuSubmod(verdict(['tcb_minimum', 'failed'], ['products', 'failed']))
    expect(vector).toMatchObject({ hardware: 96 })
  })

  it.each<[string, string]>([
    ['debug', 'configuration'],
    ['measurement', 'executables'],
    ['tcb_minimum', 'hardware'],
  ])('where %s was waived, it claims no %s and affirms nothing', (step, claim) => {
    const { status, vector } = cpuSubmod(verdict([step, 'waived']))
    expect(status).toBe('none')
    expect(vector).not.toHaveProperty([claim])
  })

  it('claims no opaque memory where debug was waived', () => {
    expect(cpuSubmod(verdict(['debug', 'waived'])).vector).not.toHaveProperty(['runtime-opaque'])
  })

  it.each<[FailureCode, number]>([
    ['root_not_pinned', 97],
    ['collateral_missing', 97],
    ['product_unsupported', 97],
    ['report_signature_invalid', 99],
    ['chain_signature_invalid', 99],
    ['certificate_expired', 99],
    ['report_malformed', 99],
    ['certificate_unused', 99],
    ['crl_signature_invalid', 99],
    ['certificate_revoked', 96],
  ])('evidence that is not genuine, %s, is %i', (code, value) => {
    expect(cpuSubmod(notGenuine(code))).toMatchObject({
      status: 'contraindicated',
      vector: { hardware: value, 'instance-identity': value },
    })
  })
})
