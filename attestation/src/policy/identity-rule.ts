import { isZero } from '../equal-bytes.js'
import { type AttestationErrorCode, demand } from '../errors.js'
import { isHexOf } from '../hex.js'
import { meets, meetsName } from './expectation.js'
import type { Rule } from './rule.js'

// The members that name somebody or something, and may be anything for a stated reason.
type Identity = 'chip_id' | 'host_data' | 'family_id' | 'image_id' | 'report_id' | 'report_id_ma'

/** The rule for an identity; the member has one name in policy and report. */
export const identityRule =
  (member: Identity, code: AttestationErrorCode): Rule =>
  ({ signed, policy }) => {
    const expected = policy[member]
    if ('any' in expected) return 'any'
    demand(meets(expected, signed.report[member]), code, `${member} is another one`)
    return 'passed'
  }

/** The chip is none of those that are denied. A masked CHIP_ID could hide each of them. */
export const chipIdDeniedRule: Rule = ({ signed, policy: { chip_id_denied } }) => {
  const { chip_id } = signed.report
  const denied = chip_id_denied.some((text) => isHexOf(text, chip_id))
  const hidden = chip_id_denied.length > 0 && isZero(chip_id)
  demand(!denied && !hidden, 'chip_id_refused', 'the chip is denied, or does not say which it is')
  return 'passed'
}

/** The provider that a VLEK is of is an expected one. A VCEK names none. */
export const cspIdRule: Rule = ({ signed, policy: { csp_id } }) => {
  const { cspID } = signed.chain.leaf.leaf
  if ('any' in csp_id) return 'any'
  demand(cspID === null || meetsName(csp_id, cspID), 'csp_id_mismatch', 'the VLEK is of another provider')
  return 'passed'
}
