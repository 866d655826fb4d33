import { equalBytes } from '../equal-bytes.js'
import type { FirmwareVersion } from '../report/report.js'
import { type TcbParts, tcbParts } from '../report/tcb.js'
import { reference } from './appraisal-policy.js'
import { expect, type Rule } from './rule.js'

const PLATFORM_BITS = [
  'smt_enabled',
  'tsme_enabled',
  'ecc_enabled',
  'rapl_disabled',
  'ciphertext_hiding_enabled',
  'alias_check_complete',
  'tio_enabled',
] as const

const TCB_PARTS = ['fmc', 'bootloader', 'tee', 'snp', 'microcode'] as const

const reaches = (actual: TcbParts, floor: TcbParts): boolean =>
  TCB_PARTS.every((part) => (actual[part] ?? 0) >= (floor[part] ?? 0))

/** Each part of REPORTED_TCB, which the leaf is derived with, is at least as new as expected. */
export const tcbMinimumRule: Rule = ({ signed, policy }) => {
  const { product, report } = signed
  // There are floors for expected product lines only; that this is none of them has its own check.
  if (!policy.products.includes(product)) return 'not_run'
  const floor = reference(policy.tcb_minimum?.[product], `tcb_minimum.${product}`)
  expect(
    reaches(tcbParts(report.reported_tcb, product), floor),
    'tcb_below_minimum',
    'a part of the TCB is too old',
  )
  return 'passed'
}

const isSameVersion = (left: FirmwareVersion, right: FirmwareVersion): boolean =>
  left.major === right.major && left.minor === right.minor && left.build === right.build

/** The running firmware is committed: the host can't go back to an older one. */
export const committedRule: Rule = ({ signed: { report }, policy }) => {
  const committed =
    equalBytes(report.committed_tcb, report.current_tcb) &&
    isSameVersion(report.committed_version, report.current_version)
  expect(
    policy.committed_equals_current === 'any' || committed,
    'firmware_provisional',
    'the firmware is not committed',
  )
  return 'passed'
}

/** The host set the platform up as expected. */
export const platformInfoRule: Rule = ({ signed, policy }) => {
  const expected = reference(policy.platform_info, 'platform_info')
  const actual = signed.report.platform_info
  for (const bit of PLATFORM_BITS) {
    const holds = expected[bit] === 'any' || (expected[bit] === 'require') === actual[bit]
    expect(holds, 'platform_info_refused', `PLATFORM_INFO: ${bit} is not as expected`)
  }
  const known = expected.unknown_bits === 'any' || actual.unknown_bits === 0n
  expect(known, 'platform_info_refused', 'PLATFORM_INFO has a bit set that has no name here')
  return 'passed'
}
