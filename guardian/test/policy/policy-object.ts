/** A rule of AgentVault's shape. */
export const ruleObject = {
  rule_id: 'no_digits',
  type: 'unicode_category_reject',
  value: 'Nd',
  scope: { kind: 'all_string_values', skip_keys: [] },
  classification: 'GATE',
} as const

/** A policy of AgentVault's shape. */
export const policyObject = {
  policy_version: '1',
  policy_id: 'test_policy',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: ['a-profile'],
  provider_allowlist: ['a-provider'],
  max_output_tokens: null,
  rules: [ruleObject],
  entropy_constraints: { budget_bits: 32, classification: 'ADVISORY', review_trigger_pct: 80 },
} as const
