import { equalBytes } from '../equal-bytes.js'
import { demand } from '../errors.js'
import type { FirmwareVersion } from '../report/report.js'
import { reference } from './complete-policy.js'
import type { Rule } from './rule.js'

// By major, then minor, then build.
const isAtLeast = (actual: FirmwareVersion, floor: FirmwareVersion): boolean => {
  if (actual.major !== floor.major) return actual.major > floor.major
  if (actual.minor !== floor.minor) return actual.minor > floor.minor
  return actual.build >= floor.build
}

/** The firmware's API version and build are at least as new as expected: running, or committed. */
export const versionMinimumRule =
  (which: 'current' | 'committed'): Rule =>
  ({ signed: { product, report }, policy }) => {
    const member = `${which}_version_minimum` as const
    const floors = policy[member]
    if ('any' in floors) return 'any'
    if (!policy.products.includes(product)) return 'not_run'
    const floor = reference(floors[product], `${member}.${product}`)
    const reached = isAtLeast(report[`${which}_version`], floor)
    demand(reached, 'firmware_below_minimum', `the ${which} firmware is too old`)
    return 'passed'
  }

const isSameVersion = (left: FirmwareVersion, right: FirmwareVersion): boolean =>
  isAtLeast(left, right) && isAtLeast(right, left)

/** The running firmware is committed: the host can't go back to an older one. */
export const committedRule: Rule = ({ signed: { report }, policy }) => {
  const committed =
    equalBytes(report.committed_tcb, report.current_tcb) &&
    isSameVersion(report.committed_version, report.current_version)
  demand(
    policy.committed_equals_current === 'any' || committed,
    'firmware_provisional',
    'the firmware is not committed',
  )
  return 'passed'
}

const has = (vector: bigint | null, bits: string): boolean => {
  const required = BigInt(bits)
  return ((vector ?? 0n) & required) === required
}

/** The firmware mitigates what it must: at launch, and now. Before version 5 a report says nothing of it. */
export const mitigationsRule: Rule = ({ signed: { report }, policy: { mitigations: expected } }) => {
  if ('any' in expected) return 'any'
  const atLaunch = has(report.launch_mit_vector, expected.launch)
  const now = has(report.current_mit_vector, expected.current)
  demand(atLaunch && now, 'mitigations_missing', 'a mitigation is not in place')
  return 'passed'
}
