import { demand } from '../errors.js'
import { reference } from './complete-policy.js'
import type { Rule } from './rule.js'

const PLATFORM_BITS = [
  'smt_enabled',
  'tsme_enabled',
  'ecc_enabled',
  'rapl_disabled',
  'ciphertext_hiding_enabled',
  'alias_check_complete',
  'tio_enabled',
] as const

type UnknownBits = 'forbid' | 'any' | { readonly allow: string }

const allowed = (expected: UnknownBits, unknown: bigint): boolean => {
  if (expected === 'any') return true
  return (unknown & ~(expected === 'forbid' ? 0n : BigInt(expected.allow))) === 0n
}

/** The host set the platform up as expected. */
export const platformInfoRule: Rule = ({ signed, policy }) => {
  const expected = reference(policy.platform_info, 'platform_info')
  const actual = signed.report.platform_info
  const wrong = PLATFORM_BITS.find(
    (bit) => expected[bit] !== 'any' && (expected[bit] === 'require') !== actual[bit],
  )
  demand(wrong === undefined, 'platform_info_refused', `PLATFORM_INFO: ${wrong} is not as expected`)
  const known = allowed(expected.unknown_bits, actual.unknown_bits)
  demand(known, 'platform_info_refused', 'PLATFORM_INFO has a bit set that has no name here')
  return 'passed'
}
