import type { Classification } from '../ingress/classification-label.js'
import type { PolicyEntity } from './entity.js'

/** From no to yes. */
const DECISIONS = ['deny', 'approval_required', 'allow'] as const

/** What a policy can say. The list is closed; nothing turns a deny into anything else. */
export type Decision = (typeof DECISIONS)[number]

/** Whether somebody may do something to something, under which circumstances. */
export type PolicyQuestion = {
  readonly principal: PolicyEntity
  readonly action: string
  readonly resource: PolicyEntity
  readonly purpose: string
  readonly classification: Classification
  readonly recipients: readonly string[]
}

/** A decision and the ids of the rules that made it. */
export type PolicyAnswer = { readonly decision: Decision; readonly rules: readonly string[] }

/** One immutable set of rules. `decide` may throw; whoever asks takes that as a deny. */
export type Policy = {
  /** Digest of the bundle that the rules come from. */
  readonly bundleHash: string
  readonly decide: (question: PolicyQuestion) => PolicyAnswer
}

/** The rule that is named where a policy could not answer. */
export const POLICY_FAILED = 'policy_failed'

/**
 * The answer of a policy that never throws: an error is a deny.
 * @see SPEC "Effect gate"
 */
export const askPolicy = (policy: Policy, question: PolicyQuestion): PolicyAnswer => {
  try {
    return policy.decide(question)
  } catch {
    return { decision: 'deny', rules: [POLICY_FAILED] }
  }
}

/** The strictest of several answers, with the rules of those that gave it; of none, a deny. */
export const strictestAnswer = (answers: readonly PolicyAnswer[]): PolicyAnswer => {
  const decision = DECISIONS.find((known) => answers.some((answer) => answer.decision === known)) ?? 'deny'
  const rules = answers.filter((answer) => answer.decision === decision).flatMap((answer) => answer.rules)
  return { decision, rules: [...new Set(rules)].sort() }
}

/** Policies of one bundle that must all agree. */
export const allOf = (bundleHash: string, policies: readonly Policy[]): Policy => ({
  bundleHash,
  decide: (question) => strictestAnswer(policies.map((policy) => askPolicy(policy, question))),
})

/**
 * Asks for a principal and for each of those on whose authority it acts: what one of them may not do, the last may
 * not either, so that delegated authority is an intersection.
 */
export const askForChain = (
  policy: Policy,
  question: PolicyQuestion,
  delegation: readonly PolicyEntity[],
): PolicyAnswer =>
  strictestAnswer(
    [...delegation, question.principal].map((principal) => askPolicy(policy, { ...question, principal })),
  )
