import { askForChain, type Decision, POLICY_FAILED, type PolicyEntity } from '@parley/guardian'
import type { CedarPolicy } from '@parley/guardian/cedar'
import type { AskedQuestion } from './parse-question.js'

/** Why a policy decided as it did, for one of those whose authority counts. */
export type Explained = {
  readonly principal: string
  readonly decision: Decision
  /** Why in words, where no rule says it. */
  readonly because: string | null
  readonly rules: readonly { readonly id: string; readonly text: string | null }[]
}

/** The decision of all, which is the strictest, and of each. */
export type Explanation = {
  readonly policy_bundle_hash: string
  readonly decision: Decision
  readonly each: readonly Explained[]
}

/** Asks a policy as the gate does, and tells which rules made the answer. */
export const explainEffect = (
  policy: CedarPolicy,
  { delegation, ...question }: AskedQuestion,
): Explanation => ({
  policy_bundle_hash: policy.bundleHash,
  decision: askForChain(policy, question, delegation).decision,
  each: [...delegation, question.principal].map((principal) => explained(policy, { ...question, principal })),
})

const explained = (policy: CedarPolicy, question: Omit<AskedQuestion, 'delegation'>): Explained => {
  const { decision, rules } = askForChain(policy, question, [])
  return {
    principal: nameOf(question.principal),
    decision,
    because: becauseOf(decision, rules),
    rules: rules
      .filter((id) => id !== POLICY_FAILED)
      .map((id) => ({ id, text: policy.rules.get(id) ?? null })),
  }
}

const nameOf = ({ type, id }: PolicyEntity): string => `${type}::${id}`

const becauseOf = (decision: Decision, rules: readonly string[]): string | null => {
  if (rules.includes(POLICY_FAILED)) return 'the schema does not know what was asked, or a rule fails on it'
  if (decision === 'deny' && rules.length === 0) return 'no rule permits it'
  return decision === 'approval_required' ? 'permitted only with an approval' : null
}
