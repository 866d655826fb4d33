import { describe, expect, it } from 'vitest'
import { policyJson } from '../policies.js'
import { chipOf, failures } from './simulated-appraisal.js'

const chip = await chipOf('Milan')

const BITS = [
  ['smt_enabled', 0n],
  ['tsme_enabled', 1n],
  ['ecc_enabled', 2n],
  ['rapl_disabled', 3n],
  ['ciphertext_hiding_enabled', 4n],
  ['alias_check_complete', 5n],
  ['tio_enabled', 7n],
] as const

const ANY = Object.fromEntries(BITS.map(([name]) => [name, 'any']))

const policyOf = (changes: Record<string, unknown>): Record<string, unknown> => ({
  platform_info: { ...policyJson().platform_info, ...ANY, unknown_bits: 'any', ...changes },
})

const refused = { platform_info: 'platform_info_refused' }

describe('each bit of PLATFORM_INFO', () => {
  it.each(BITS)('%s can be required, forbidden, or left alone', async (name, bit) => {
    const judge = (platformInfo: bigint, rule: string): Promise<unknown> =>
      failures(chip, { fields: { platformInfo }, policy: policyOf({ [name]: rule }) })
    const all = 0xffn
    expect(await judge(1n << bit, 'require')).toEqual({})
    expect(await judge(all & ~(1n << bit), 'require')).toEqual(refused)
    expect(await judge(all & ~(1n << bit), 'forbid')).toEqual({})
    expect(await judge(1n << bit, 'forbid')).toEqual(refused)
    expect(await judge(0n, 'any')).toEqual({})
    expect(await judge(all, 'any')).toEqual({})
  })
})

describe('bits of PLATFORM_INFO without a name', () => {
  it.each<[unknown, bigint, boolean]>([
    ['forbid', 0x25n, true],
    ['forbid', 0x65n, false],
    ['any', 0xffff_ffff_ffff_ffffn, true],
    [{ allow: '0x40' }, 0x65n, true],
    [{ allow: '0x40' }, 0x25n, true],
    [{ allow: '0x40' }, 0x165n, false],
    [{ allow: '0x0' }, 0x65n, false],
    [{ allow: '0x8000000000000040' }, 0x8000_0000_0000_0025n, true],
  ])('under %j, 0x%s', async (unknown_bits, platformInfo, taken) => {
    const failed = await failures(chip, { fields: { platformInfo }, policy: policyOf({ unknown_bits }) })
    expect(failed).toEqual(taken ? {} : refused)
  })
})
