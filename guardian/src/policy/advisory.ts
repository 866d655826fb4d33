/** A finding that stops nothing. What a rule found depends on the output, and stays with whoever may see that. */
export type Advisory =
  | { readonly code: 'output_rule_matched'; readonly rule_id: string }
  | { readonly code: 'capacity_exceeds_contract_budget' }
  | { readonly code: 'capacity_exceeds_policy_budget' }
  /** The counted bits reach the share of the policy's budget from which a person should look. */
  | { readonly code: 'capacity_needs_review' }
