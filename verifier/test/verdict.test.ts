import { describe, expect, it } from 'vitest'
import { PROCEDURES } from '../src/check-table.js'
import { failed, type Finding, notRun, passed } from '../src/finding.js'
import { drawVerdict, NOTHING } from '../src/verdict.js'

const all = PROCEDURES.bundle.map((name) => passed(name))
const draw = (...changes: readonly Finding[]) =>
  drawVerdict({
    ...NOTHING,
    procedure: 'bundle',
    output: 'the output',
    findings: [...changes, ...all.filter(({ name }) => !changes.some((change) => change.name === name))],
  })

describe('drawVerdict', () => {
  it('trusts only where every check passed', () => {
    expect(draw()).toMatchObject({ trusted: true, exit_code: 0, output: 'the output' })
  })

  it.each(PROCEDURES.bundle)('does not trust where %s failed, and keeps the output back', (name) => {
    expect(draw(failed(name, 'signature_invalid'))).toMatchObject({ trusted: false, output: null })
  })

  it.each(PROCEDURES.bundle)('does not trust where nobody reported %s', (name) => {
    const findings = all.filter((finding) => finding.name !== name)
    expect(drawVerdict({ ...NOTHING, procedure: 'bundle', findings })).toMatchObject({
      trusted: false,
      exit_code: 3,
    })
  })

  it('trusts where there was nothing to prove, and not where proof was due', () => {
    expect(draw(notRun('inputs', 'inputs_not_open')).trusted).toBe(true)
    expect(draw(notRun('inputs', 'prerequisite_failed')).trusted).toBe(false)
  })

  it('shows each check once, in the order of the procedure', () => {
    expect(draw().checks.map(({ name }) => name)).toEqual(PROCEDURES.bundle)
    expect(
      drawVerdict({ ...NOTHING, procedure: 'evidence', findings: [] }).checks.map(({ name }) => name),
    ).toEqual(PROCEDURES.evidence)
  })

  it('lets the most fundamental failure decide: malformed, not genuine, not matching, not expected', () => {
    const expectation = failed('relay_version', 'value_unexpected')
    const mismatch = failed('receipt_signature', 'signature_invalid')
    const counterfeit = failed('report_data', 'report_data_mismatch')
    const malformed = failed('hardware_genuine', 'report_malformed')
    expect(draw(expectation).exit_code).toBe(3)
    expect(draw(expectation, mismatch).exit_code).toBe(4)
    expect(draw(expectation, mismatch, counterfeit).exit_code).toBe(2)
    expect(draw(expectation, mismatch, counterfeit, malformed).exit_code).toBe(5)
  })

  it('never trusts with a waiver, and runs the waived check for nobody', () => {
    const waivers = [{ check: 'relay_version', reason: 'a development build' }]
    const verdict = drawVerdict({
      ...NOTHING,
      procedure: 'bundle',
      findings: [failed('relay_version', 'value_unexpected'), ...all],
      waivers,
    })
    expect(verdict).toMatchObject({ trusted: false, exit_code: 3 })
    expect(verdict.checks.find(({ name }) => name === 'relay_version')).toMatchObject({
      result: 'not_run',
      code: 'waived',
    })
  })

  it('names the simulated root where AMD would be trusted', () => {
    const trustees = (simulated: boolean) =>
      drawVerdict({ ...NOTHING, procedure: 'bundle', findings: all, simulated }).checks.map(
        (check) => check.trusted_for,
      )
    expect(trustees(false)).toContain('amd')
    expect(trustees(true)).not.toContain('amd')
    expect(trustees(true)).toContain('simulated root')
  })
})
