import { demand } from '../errors.js'
import { type TcbPart, type TcbParts, tcbParts } from '../report/tcb.js'
import { reference } from './complete-policy.js'
import type { Rule } from './rule.js'
import { floorsOf } from './tcb-floor-list.js'

const TCB_PARTS: readonly TcbPart[] = ['fmc', 'bootloader', 'tee', 'snp', 'microcode']

// Part by part: as one number, a high microcode would make up for old firmware.
const reaches = (actual: TcbParts, floor: TcbParts): boolean =>
  TCB_PARTS.every((part) => (actual[part] ?? 0) >= (floor[part] ?? 0))

type Tcb = 'reported' | 'committed' | 'current' | 'launch'

const MEMBERS = {
  reported: 'tcb_minimum',
  committed: 'committed_tcb_minimum',
  current: 'current_tcb_minimum',
  launch: 'launch_tcb_minimum',
} as const satisfies Record<Tcb, string>

/**
 * Each part of a TCB is at least as new as expected. The reported one is what the leaf is derived with and so what a
 * chip can't lie about; the others are the firmware's own word.
 */
export const tcbMinimumRule =
  (tcb: Tcb): Rule =>
  ({ signed: { product, report }, policy }) => {
    const floors = reference(policy[MEMBERS[tcb]], MEMBERS[tcb])
    if ('any' in floors) return 'any'
    // There are floors for expected product lines only; that this is none of them has its own check.
    if (!policy.products.includes(product)) return 'not_run'
    const floor = reference(floors[product], `${MEMBERS[tcb]}.${product}`)
    const reached = reaches(tcbParts(report[`${tcb}_tcb`], product), floor)
    demand(reached, 'tcb_below_minimum', `a part of the ${tcb} TCB is too old`)
    return 'passed'
  }

/** REPORTED_TCB reaches every floor that a published list has for the product line. */
export const tcbFloorListRule: Rule = ({ signed: { product, report }, policy }) => {
  const { tcb_floor_list: named } = policy
  if ('any' in named) return 'any'
  if (!policy.products.includes(product)) return 'not_run'
  const parts = tcbParts(report.reported_tcb, product)
  for (const { part, minimum, bulletin } of floorsOf(named.sha256, product))
    demand((parts[part] ?? 0) >= minimum, 'tcb_below_minimum', `${part} is under the floor of ${bulletin}`)
  return 'passed'
}

// Bytes that stand for no part are zero in both: a report of which they are not is not genuine.
const isWithin = (lower: Uint8Array, upper: Uint8Array): boolean =>
  lower.every((part, at) => part <= (upper[at] ?? 0))

const ORDER = [
  ['reported_within_committed', 'reported', 'committed'],
  ['committed_within_current', 'committed', 'current'],
  ['launch_within_current', 'launch', 'current'],
] as const

/** The TCBs stand in the order that a policy asks for. Firmware promises none: a guest can have been migrated. */
export const tcbOrderRule: Rule = ({ signed: { report }, policy }) => {
  for (const [name, lower, upper] of ORDER) {
    const holds = policy.tcb_order[name] === 'any' || isWithin(report[`${lower}_tcb`], report[`${upper}_tcb`])
    demand(holds, 'tcb_order_refused', `a part of the ${lower} TCB is above the ${upper} one`)
  }
  return 'passed'
}
