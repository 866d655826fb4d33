import type { SignedReport } from '../brand.js'
import { type Check, CheckLog } from '../checks.js'
import { type AppraisalPolicy, isWaived } from './appraisal-policy.js'
import { debugRule, guestPolicyRule } from './guest-policy-rules.js'
import { identityRule } from './identity-rule.js'
import {
  askedByGuestRule,
  measurementRule,
  productRule,
  reportDataRule,
  signingKeyRule,
  vmplRule,
} from './launch-rules.js'
import { committedRule, platformInfoRule, tcbMinimumRule } from './platform-rules.js'
import type { Rule } from './rule.js'

// Every expectation, in the order in which the first failure gives the code.
const RULES = [
  ['report_data', reportDataRule],
  ['asked_by_guest', askedByGuestRule],
  ['products', productRule],
  ['signing_keys', signingKeyRule],
  ['measurement', measurementRule],
  ['guest_policy', guestPolicyRule],
  ['debug', debugRule],
  ['tcb_minimum', tcbMinimumRule],
  ['committed_equals_current', committedRule],
  ['vmpl', vmplRule],
  ['platform_info', platformInfoRule],
  ['chip_id', identityRule('chip_id', 'chip_id_refused')],
  ['host_data', identityRule('host_data', 'host_data_mismatch')],
  ['family_id', identityRule('family_id', 'family_id_mismatch')],
  ['image_id', identityRule('image_id', 'image_id_mismatch')],
  ['id_key_digest', identityRule('id_key_digest', 'id_key_digest_mismatch')],
  ['author_key_digest', identityRule('author_key_digest', 'author_key_digest_mismatch')],
] as const satisfies readonly (readonly [string, Rule])[]

/** The name of a check of the policy. */
export type PolicyCheckName = (typeof RULES)[number][0]

/**
 * Checks a genuine report against every expectation. All run, so that a reader sees all that differs.
 * @param signed null where the evidence is not genuine: then nothing is run
 */
export const checkPolicy = (
  signed: SignedReport | null,
  policy: AppraisalPolicy,
  reportData: Uint8Array,
): Check<PolicyCheckName>[] => {
  const log = new CheckLog(RULES.map(([name]) => name))
  if (signed === null) return log.conclude('nobody')
  for (const [name, rule] of RULES) {
    log.judge(name, () => (isWaived(policy, name) ? 'waived' : rule({ signed, policy, reportData })))
  }
  return log.conclude(signed.chain.trusted_for)
}
