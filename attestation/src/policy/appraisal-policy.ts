import * as v from 'valibot'
import { AttestationError } from '../errors.js'
import { POLICY_SCHEMA, WAIVABLE } from './policy-schema.js'

/** The reference values that a report is checked against. Read by `parseAppraisalPolicy`. */
export type AppraisalPolicy = v.InferOutput<typeof POLICY_SCHEMA>

/** A check that a policy does without, or an identity that may be anything, and why. */
export type Reasoned = { readonly check: string; readonly reason: string }

const missing = (member: string): AttestationError =>
  new AttestationError('reference_value_missing', `policy: the member ${member} is missing`)

/** Whether a policy waives a check by name. */
export const isWaived = (policy: AppraisalPolicy, check: string): boolean =>
  policy.waive.some((waiver) => waiver.check === check)

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

/** @throws AttestationError reference_value_missing for a member that is neither there nor waived */
export const checkComplete = (policy: AppraisalPolicy): void => {
  for (const check of WAIVABLE) {
    if (!isWaived(policy, check)) reference(policy[memberOf(check)], memberOf(check))
  }
  if (isWaived(policy, 'tcb_minimum')) return
  for (const product of policy.products) reference(policy.tcb_minimum?.[product], `tcb_minimum.${product}`)
}

const refusal = (issue: v.BaseIssue<unknown>): AttestationError => {
  const member = (v.getDotPath(issue) ?? '').slice(0, 128)
  if (issue.type === 'strict_object' && issue.received === 'undefined') return missing(member)
  return new AttestationError('policy_malformed', `policy: the member ${member} is unknown or wrong`)
}

/**
 * A policy from the parsed JSON of a file. Nothing in it is optional: what is left out is refused unless it is waived
 * by name, and an unknown member is refused.
 * @throws AttestationError reference_value_missing, naming the member; policy_malformed
 */
export const parseAppraisalPolicy = (value: unknown): AppraisalPolicy => {
  const result = v.safeParse(POLICY_SCHEMA, value)
  if (!result.success) throw refusal(result.issues[0])
  checkComplete(result.output)
  return result.output
}
