import type { Contract } from '@parley/protocol'
import type { Advisory } from '../policy/advisory.js'
import type { GuardianPolicy } from '../policy/guardian-policy.js'
import { type Refused, refused } from '../refused.js'

/** Why the counted capacity is refused. The union is closed. */
export type BudgetRefusal = Refused<'capacity_exceeds_budget' | 'capacity_exceeds_policy'>

/**
 * Holds the counted bits against the contract's budget and the policy's. `Gate`, `Strict` and `GATE` refuse;
 * the others advise, and so does the policy's review trigger.
 */
export const checkEntropyBudgets = (
  contract: Contract,
  policy: GuardianPolicy,
  bits: number,
): { readonly ok: true; readonly advisories: readonly Advisory[] } | BudgetRefusal => {
  const { entropy_budget_bits: budget, entropy_enforcement: enforcement } = contract
  const overContract = budget !== null && bits > budget
  if (overContract && (enforcement === 'Gate' || enforcement === 'Strict'))
    return refused('capacity_exceeds_budget', '/entropy_budget_bits', `bits ${bits} over budget ${budget}`)
  const constraints = policy.entropy_constraints
  const overPolicy = constraints !== null && bits > constraints.budget_bits
  if (overPolicy && constraints.classification === 'GATE')
    return refused(
      'capacity_exceeds_policy',
      '/output_schema',
      `bits ${bits} over budget ${constraints.budget_bits}`,
    )
  return {
    ok: true,
    advisories: [
      ...finding(overContract, 'capacity_exceeds_contract_budget'),
      ...finding(overPolicy, 'capacity_exceeds_policy_budget'),
      ...finding(constraints !== null && needsReview(constraints, bits), 'capacity_needs_review'),
    ],
  }
}

type Constraints = NonNullable<GuardianPolicy['entropy_constraints']>

const needsReview = ({ budget_bits, review_trigger_pct }: Constraints, bits: number): boolean =>
  bits * 100 >= budget_bits * review_trigger_pct

const finding = (found: boolean, code: Advisory['code']): readonly Advisory[] => (found ? [{ code }] : [])
