/** Why a grant does not permit what is asked, in the order in which it is looked at. The list is closed. */
export const GRANT_CODES = [
  'no_grant',
  'grant_malformed',
  'signature_invalid',
  'wrong_type',
  // A delegated token and what it came from.
  'chain_too_long',
  'chain_broken',
  'scope_amplified',
  'expiry_amplified',
  'constraint_amplified',
  'not_strict_subset',
  'depth_amplified',
  // Who, to whom, where.
  'wrong_issuer',
  'wrong_holder',
  'wrong_audience',
  // What for.
  'wrong_purpose',
  'wrong_contract',
  'wrong_action',
  'not_in_scope',
  // When, and how often.
  'not_yet_valid',
  'expired',
  'revoked',
  'used_up',
  'store_full',
  'store_failed',
] as const

/** One of {@link GRANT_CODES}. */
export type GrantCode = (typeof GRANT_CODES)[number]
