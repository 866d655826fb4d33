import { isJsonArray, isJsonObject, type JsonValue } from '@parley/protocol'
import type { GuardianPolicy } from './guardian-policy.js'
import { spellsNumber } from './numeric-string.js'
import type { PolicyRule } from './policy-rule.js'
import { findsPattern, readTextPattern } from './text-pattern.js'

/** Whether a policy's rules let an output pass; the first rule that refuses is named. */
export type RuleCheck =
  | { readonly ok: true; readonly findings: readonly string[] }
  | { readonly ok: false; readonly code: 'output_refused'; readonly rule_id: string }

/** A rule that reads an output's texts and nothing else. */
type TextRule = Extract<PolicyRule, { readonly scope: object }>

/**
 * Applies the rules of a policy that read an output's texts. GATE refuses, ADVISORY is a finding.
 * They look at every string value, at any depth, also at those that an enum allows; not at member names or
 * numbers. `skip_keys` name members of the top level.
 */
export const applyOutputRules = (policy: GuardianPolicy, output: JsonValue): RuleCheck => {
  const matched = policy.rules.filter(isTextRule).filter((rule) => matches(rule, output))
  const gate = matched.find((rule) => rule.classification === 'GATE')
  if (gate !== undefined) return { ok: false, code: 'output_refused', rule_id: gate.rule_id }
  return { ok: true, findings: matched.map(({ rule_id }) => rule_id).sort() }
}

const isTextRule = (rule: PolicyRule): rule is TextRule => 'scope' in rule

const matches = (rule: TextRule, output: JsonValue): boolean => {
  const test = testOf(rule)
  if (!isJsonObject(output)) return someText(output, test)
  return Object.entries(output).some(
    ([name, member]) => !rule.scope.skip_keys.includes(name) && someText(member, test),
  )
}

type TextTest = (text: string) => boolean

/** AgentVault's categories as AgentVault means them: its Nd is every numeric character, not only digits. */
const CATEGORIES = { Nd: /\p{N}/u, Sc: /\p{Sc}/u } as const

const testOf = (rule: TextRule): TextTest => {
  switch (rule.type) {
    case 'unicode_category_reject':
      return (text) => CATEGORIES[rule.value].test(text)
    case 'numeric_string_reject':
      return spellsNumber
    case 'pattern_reject': {
      const pattern = readTextPattern(rule.value)
      // A pattern that cannot be read stands in no policy; if it did, nothing would pass it.
      return (text) => pattern === null || findsPattern(pattern, text)
    }
  }
}

const someText = (value: JsonValue, test: TextTest): boolean => {
  if (typeof value === 'string') return test(value)
  if (typeof value !== 'object' || value === null) return false
  const inner = isJsonArray(value) ? value : Object.values(value)
  return inner.some((item) => someText(item, test))
}
