/** A finding on a contract that stops nothing: it follows from the contract and its policy, and anybody may see it. */
export type Advisory =
  | { readonly code: 'capacity_exceeds_contract_budget' }
  | { readonly code: 'capacity_exceeds_policy_budget' }
  /** The counted bits reach the share of the policy's budget from which a person should look. */
  | { readonly code: 'capacity_needs_review' }
  /** AgentVault's figure is below the counted one, or there is none. */
  | { readonly code: 'agentvault_figure_differs' }
