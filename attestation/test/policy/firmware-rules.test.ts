import { describe, expect, it } from 'vitest'
import { chipOf, failures } from './simulated-appraisal.js'

const chip = await chipOf('Milan')
const v5 = await chipOf('Genoa')

const minimum = (member: string, major: number, minor: number, build: number): Record<string, unknown> => {
  const version = { major, minor, build }
  return { [member]: { Milan: version, Genoa: version, Turin: version } }
}

// The chip's firmware is 1.55.40.
describe.each(['current_version_minimum', 'committed_version_minimum'])('%s', (member) => {
  it.each<[number, number, number]>([
    [1, 55, 40],
    [1, 55, 39],
    [1, 54, 255],
    [0, 255, 255],
  ])('of %i.%i.%i takes firmware 1.55.40', async (...floor) => {
    expect(await failures(chip, { policy: minimum(member, ...floor) })).toEqual({})
  })

  it.each<[number, number, number]>([
    [1, 55, 41],
    [1, 56, 0],
    [2, 0, 0],
  ])('of %i.%i.%i refuses firmware 1.55.40', async (...floor) => {
    expect(await failures(chip, { policy: minimum(member, ...floor) })).toEqual({
      [member]: 'firmware_below_minimum',
    })
  })
})

describe('provisional firmware', () => {
  it('is refused where the policy says so, also where only its version tells', async () => {
    const fields = { committedVersion: [39, 55, 1] as const }
    expect(await failures(chip, { fields })).toEqual({ committed_equals_current: 'firmware_provisional' })
    expect(await failures(chip, { fields, policy: { committed_equals_current: 'any' } })).toEqual({})
  })
})

// Version 5 reports have 0x3 in both vectors.
describe('mitigations', () => {
  const required = (launch: string, current: string): Record<string, unknown> => ({
    mitigations: { launch, current },
  })
  const missing = { mitigations: 'mitigations_missing' }

  it('are those of the report, or fewer', async () => {
    expect(await failures(v5, { policy: required('0x3', '0x1') })).toEqual({})
    expect(await failures(v5, { policy: required('0x0', '0x0') })).toEqual({})
  })

  it('that lack at launch, or now, are missing', async () => {
    expect(await failures(v5, { policy: required('0x4', '0x0') })).toEqual(missing)
    expect(await failures(v5, { policy: required('0x0', '0x8000000000000000') })).toEqual(missing)
    expect(await failures(v5, { policy: required('0x0', '0x2'), fields: { currentMitVector: 1n } })).toEqual(
      missing,
    )
  })

  it('are none before version 5, and none may be asked for then', async () => {
    expect(await failures(chip, { policy: required('0x1', '0x0') })).toEqual(missing)
    expect(await failures(chip, { policy: required('0x0', '0x0') })).toEqual({})
  })
})
