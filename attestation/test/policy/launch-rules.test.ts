import { describe, expect, it } from 'vitest'
import { chipOf, failures } from './simulated-appraisal.js'

const chip = await chipOf('Milan')

describe('the version of a report', () => {
  it.each([2, 3, 4, 5])('%i is taken within the range and refused outside of it', async (version) => {
    const range = (minimum: number, maximum: number): Record<string, unknown> => ({
      report_versions: { minimum, maximum },
    })
    const fields = { version }
    const refused = { report_versions: 'report_version_refused' }
    expect(await failures(chip, { fields, policy: range(version, version) })).toEqual({})
    expect(await failures(chip, { fields, policy: range(2, 5) })).toEqual({})
    if (version > 2) expect(await failures(chip, { fields, policy: range(2, version - 1) })).toEqual(refused)
    if (version < 5) expect(await failures(chip, { fields, policy: range(version + 1, 5) })).toEqual(refused)
  })
})

describe('the security version of the guest', () => {
  it.each([
    [0, 0, true],
    [7, 7, true],
    [8, 7, true],
    [0xffffffff, 7, true],
    [6, 7, false],
    [0, 1, false],
    [0x7fffffff, 0xffffffff, false],
  ])('%i against a minimum of %i', async (guestSvn, guest_svn_minimum, taken) => {
    const failed = await failures(chip, { fields: { guestSvn }, policy: { guest_svn_minimum } })
    expect(failed).toEqual(taken ? {} : { guest_svn_minimum: 'guest_svn_below_minimum' })
  })
})
