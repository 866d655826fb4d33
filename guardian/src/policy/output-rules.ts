import { isJsonArray, isJsonObject, type JsonValue } from '@parley/protocol'
import type { Advisory } from './advisory.js'
import type { GuardianPolicy, OutputRule } from './guardian-policy.js'

/** AgentVault's categories as AgentVault means them: its Nd is every numeric character, not only digits. */
const CATEGORIES: Readonly<Record<OutputRule['value'], RegExp>> = { Nd: /\p{N}/u, Sc: /\p{Sc}/u }

/** Whether a policy's rules let an output pass; the first rule that refuses is named. */
export type RuleCheck =
  | { readonly ok: true; readonly advisories: readonly Advisory[] }
  | { readonly ok: false; readonly code: 'output_refused'; readonly rule_id: string }

/**
 * Applies a policy's rules to an output. GATE refuses, ADVISORY is a finding.
 * unicode_category_reject looks at every string value, at any depth, also at those that an enum allows; not at
 * member names or numbers. `skip_keys` name members of the top level.
 */
export const applyOutputRules = (policy: GuardianPolicy, output: JsonValue): RuleCheck => {
  const matched = policy.rules.filter((rule) => matches(rule, output))
  const gate = matched.find((rule) => rule.classification === 'GATE')
  if (gate !== undefined) return { ok: false, code: 'output_refused', rule_id: gate.rule_id }
  return { ok: true, advisories: matched.map(({ rule_id }) => ({ code: 'output_rule_matched', rule_id })) }
}

const matches = ({ value, scope }: OutputRule, output: JsonValue): boolean => {
  const category = CATEGORIES[value]
  if (!isJsonObject(output)) return someText(output, category)
  return Object.entries(output).some(
    ([name, member]) => !scope.skip_keys.includes(name) && someText(member, category),
  )
}

const someText = (value: JsonValue, category: RegExp): boolean => {
  if (typeof value === 'string') return category.test(value)
  if (typeof value !== 'object' || value === null) return false
  const inner = isJsonArray(value) ? value : Object.values(value)
  return inner.some((item) => someText(item, category))
}
