import { type Response, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs'
import { CLASSIFICATIONS, POLICY_FAILED, type PolicyAnswer, type PolicyQuestion } from '@parley/guardian'
import { entityOf } from './cedar-entity.js'

const FAILED: PolicyAnswer = { decision: 'deny', rules: [POLICY_FAILED] }

/**
 * Three answers of an engine that has two: what is allowed without an approval is allowed; what is allowed with one
 * needs it; all else is denied. So is whatever the schema does not know, and whatever a rule fails on: a `forbid` that
 * fails would otherwise forbid nothing.
 * @param name of the parsed schema and rules
 */
export const decideByCedar = (name: string, question: PolicyQuestion): PolicyAnswer => {
  const plain = ask(name, question, false)
  const isFinal = plain === null || plain.decision === 'allow' || plain.diagnostics.errors.length > 0
  if (isFinal) return answerOf(plain, 'allow')
  return answerOf(ask(name, question, true), 'approval_required')
}

const answerOf = (response: Response | null, allowed: 'allow' | 'approval_required'): PolicyAnswer => {
  if (response === null) return FAILED
  const { decision, diagnostics } = response
  if (diagnostics.errors.length > 0)
    return { decision: 'deny', rules: [POLICY_FAILED, ...diagnostics.errors.map(({ policyId }) => policyId)] }
  return { decision: decision === 'allow' ? allowed : 'deny', rules: [...diagnostics.reason].sort() }
}

const ask = (name: string, question: PolicyQuestion, approved: boolean): Response | null => {
  const { principal, action, resource, purpose, classification, recipients } = question
  const answer = statefulIsAuthorized({
    principal: { type: principal.type, id: principal.id },
    action: { type: 'Action', id: action },
    resource: { type: resource.type, id: resource.id },
    context: {
      approved,
      purpose,
      classification: CLASSIFICATIONS.indexOf(classification),
      recipients: [...recipients],
    },
    preparsedSchemaName: name,
    preparsedPolicySetId: name,
    validateRequest: true,
    entities: [entityOf(principal), entityOf(resource)],
  })
  return answer.type === 'success' ? answer.response : null
}
