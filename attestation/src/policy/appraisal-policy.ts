import * as v from 'valibot'
import { AttestationError } from '../errors.js'
import { checkComplete, missing } from './complete-policy.js'
import { POLICY_SCHEMA } from './policy-schema.js'

/** The reference values that a report is checked against. Read by `parseAppraisalPolicy`. */
export type AppraisalPolicy = v.InferOutput<typeof POLICY_SCHEMA>

/** A check that a policy does without, or a member that it leaves open, and why. */
export type Reasoned = { readonly check: string; readonly reason: string }

// In a union or a variant the issue is of the whole; its own issues say what lacks where.
const isMissing = (issue: v.BaseIssue<unknown>): boolean =>
  issue.received === 'undefined' && issue.type === 'strict_object'

const refusal = (issue: v.BaseIssue<unknown>): AttestationError => {
  const member = (v.getDotPath(issue) ?? '').slice(0, 128)
  if (isMissing(issue)) return missing(member)
  return new AttestationError('policy_malformed', `policy: the member ${member} is unknown or wrong`)
}

/**
 * A policy from the parsed JSON of a file. Nothing in it is optional: what is left out is refused unless it is waived
 * by name, and an unknown member is refused. `policy.schema.json` says the same in JSON Schema.
 * @throws AttestationError reference_value_missing, naming the member; policy_malformed
 */
export const parseAppraisalPolicy = (value: unknown): AppraisalPolicy => {
  const result = v.safeParse(POLICY_SCHEMA, value)
  if (!result.success) throw refusal(result.issues[0])
  checkComplete(result.output)
  return result.output
}

/** What a policy leaves open, with its reasons. */
export const leftOpen = (policy: AppraisalPolicy): Reasoned[] => {
  const open: Reasoned[] = []
  for (const [check, expected] of Object.entries(policy))
    if (typeof expected === 'object' && 'any' in expected) open.push({ check, reason: expected.any })
  return open
}
