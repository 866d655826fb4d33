import type { SignedReport } from '../brand.js'
import { type Check, CheckLog } from '../checks.js'
import { crlRule, leafAgeRule } from './collateral-rules.js'
import { isWaived } from './complete-policy.js'
import { committedRule, mitigationsRule, versionMinimumRule } from './firmware-rules.js'
import { debugRule, guestPolicyRule } from './guest-policy-rules.js'
import { chipIdDeniedRule, cspIdRule, identityRule } from './identity-rule.js'
import { authorKeyRule, idBlockRule, idKeyRule } from './key-rules.js'
import {
  askedByGuestRule,
  guestSvnRule,
  measurementRule,
  productRule,
  reportDataRule,
  reportVersionRule,
  signingKeyRule,
  vmplRule,
} from './launch-rules.js'
import { platformInfoRule } from './platform-rules.js'
import type { Matter, Rule, SlowRule } from './rule.js'
import { tcbFloorListRule, tcbMinimumRule, tcbOrderRule } from './tcb-rules.js'

// Every expectation, in the order in which the first failure gives the code.
const RULES = [
  ['report_data', reportDataRule],
  ['asked_by_guest', askedByGuestRule],
  ['products', productRule],
  ['report_versions', reportVersionRule],
  ['signing_keys', signingKeyRule],
  ['csp_id', cspIdRule],
  ['measurement', measurementRule],
  ['guest_policy', guestPolicyRule],
  ['debug', debugRule],
  ['guest_svn_minimum', guestSvnRule],
  ['tcb_minimum', tcbMinimumRule('reported')],
  ['committed_tcb_minimum', tcbMinimumRule('committed')],
  ['current_tcb_minimum', tcbMinimumRule('current')],
  ['launch_tcb_minimum', tcbMinimumRule('launch')],
  ['tcb_order', tcbOrderRule],
  ['tcb_floor_list', tcbFloorListRule],
  ['current_version_minimum', versionMinimumRule('current')],
  ['committed_version_minimum', versionMinimumRule('committed')],
  ['committed_equals_current', committedRule],
  ['mitigations', mitigationsRule],
  ['vmpl', vmplRule],
  ['platform_info', platformInfoRule],
  ['chip_id', identityRule('chip_id', 'chip_id_refused')],
  ['chip_id_denied', chipIdDeniedRule],
  ['host_data', identityRule('host_data', 'host_data_mismatch')],
  ['family_id', identityRule('family_id', 'family_id_mismatch')],
  ['image_id', identityRule('image_id', 'image_id_mismatch')],
  ['report_id', identityRule('report_id', 'report_id_mismatch')],
  ['report_id_ma', identityRule('report_id_ma', 'report_id_ma_mismatch')],
  ['leaf_age', leafAgeRule],
  ['crl', crlRule],
] as const satisfies readonly (readonly [string, Rule])[]

// Those that compute digests or verify signatures, after the others.
const SLOW_RULES = [
  ['id_key_digest', idKeyRule],
  ['author_key_digest', authorKeyRule],
  ['id_block', idBlockRule],
] as const satisfies readonly (readonly [string, SlowRule])[]

const waivedRule: Rule = () => 'waived'

/** The name of a check of the policy. */
export type PolicyCheckName = (typeof RULES)[number][0] | (typeof SLOW_RULES)[number][0]

const NAMES: readonly PolicyCheckName[] = [...RULES, ...SLOW_RULES].map(([name]) => name)

/**
 * Checks a genuine report against every expectation. All run, so that a reader sees all that differs.
 * @param matter `signed` is null where the evidence is not genuine: then nothing is run
 */
export const checkPolicy = async (
  matter: Omit<Matter, 'signed'> & { readonly signed: SignedReport | null },
): Promise<Check<PolicyCheckName>[]> => {
  const log = new CheckLog(NAMES)
  const { signed, policy } = matter
  if (signed === null) return log.conclude('nobody')
  const known = { ...matter, signed }
  for (const [name, rule] of RULES) log.judge(name, isWaived(policy, name) ? waivedRule : rule, known)
  for (const [name, rule] of SLOW_RULES) await log.judgeAsync(name, rule, known)
  return log.conclude(signed.chain.trusted_for)
}
