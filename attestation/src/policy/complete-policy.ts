import { AttestationError } from '../errors.js'
import type { AppraisalPolicy } from './appraisal-policy.js'
import { PER_PRODUCT, WAIVABLE } from './policy-schema.js'
import { floorsOf } from './tcb-floor-list.js'

/** A reference value that is not there. */
export const missing = (member: string): AttestationError =>
  new AttestationError('reference_value_missing', `policy: the member ${member} is missing`)

/** Whether a policy waives a check by name. */
export const isWaived = ({ waive }: AppraisalPolicy, check: string): boolean => {
  for (const waiver of waive) if (waiver.check === check) return true
  return false
}

/**
 * A reference value that must be there.
 * @throws AttestationError reference_value_missing
 */
export const reference = <T>(value: T | undefined, member: string): T => {
  if (value === undefined) throw missing(member)
  return value
}

// Debug is a bit of the guest policy and a check of its own.
const memberOf = (check: (typeof WAIVABLE)[number]): Exclude<typeof check, 'debug'> =>
  check === 'debug' ? 'guest_policy' : check

const checkProducts = (policy: AppraisalPolicy): void => {
  for (const member of PER_PRODUCT) {
    const floors = policy[member]
    if (isWaived(policy, member) || floors === undefined || 'any' in floors) continue
    for (const product of policy.products) reference(floors[product], `${member}.${product}`)
  }
}

// A list that says nothing of a product line would let all of it pass.
const checkFloorList = ({ products, tcb_floor_list: named }: AppraisalPolicy): void => {
  if ('any' in named) return
  for (const product of products) {
    if (floorsOf(named.sha256, product).length === 0) throw missing(`tcb_floor_list, for ${product},`)
  }
}

/** @throws AttestationError reference_value_missing for a member that is neither there nor waived */
export const checkComplete = (policy: AppraisalPolicy): void => {
  for (const check of WAIVABLE) {
    if (!isWaived(policy, check)) reference(policy[memberOf(check)], memberOf(check))
  }
  checkProducts(policy)
  checkFloorList(policy)
}
