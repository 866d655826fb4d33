import type { AttestationErrorCode } from '../errors.js'
import type { AppraisalPolicy, Reasoned } from './appraisal-policy.js'
import { meets } from './expectation.js'
import { expect, type Rule } from './rule.js'

// The members that name somebody or something, and may be anything for a stated reason.
const IDENTITIES = [
  'chip_id',
  'host_data',
  'family_id',
  'image_id',
  'id_key_digest',
  'author_key_digest',
] as const

/** The rule for an identity; the member has one name in policy and report. */
export const identityRule =
  (member: (typeof IDENTITIES)[number], code: AttestationErrorCode): Rule =>
  ({ signed, policy }) => {
    const expected = policy[member]
    if ('any' in expected) return 'any'
    expect(meets(expected, signed.report[member]), code, `${member} is another one`)
    return 'passed'
  }

/** The identities that a policy takes whatever they are, with its reasons. */
export const identitiesLeftOpen = (policy: AppraisalPolicy): Reasoned[] =>
  IDENTITIES.flatMap((check) => {
    const expected = policy[check]
    return 'any' in expected ? [{ check, reason: expected.any }] : []
  })
