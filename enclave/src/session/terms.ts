import type { Offer } from '@parley/protocol'
import type { Agreement } from './agreement.js'

/** The members that an offer and a receipt share. */
export type Terms = Pick<
  Offer,
  | 'contract_hash'
  | 'output_schema_hash'
  | 'evaluator'
  | 'program_hash'
  | 'prompt_program_hash'
  | 'model_profile_hash'
  | 'guardian_policy_hash'
  | 'provider_account'
  | 'egress_channel'
>

/** The terms of an agreement that the embedded evaluator carries out: no model, no provider, no egress. */
export function termsOf({ contractHash, admitted }: Pick<Agreement, 'contractHash' | 'admitted'>): Terms {
  return {
    contract_hash: contractHash,
    output_schema_hash: admitted.output_schema_hash,
    evaluator: 'cel',
    program_hash: admitted.program_hash,
    prompt_program_hash: null,
    model_profile_hash: null,
    guardian_policy_hash: admitted.guardian_policy_hash,
    provider_account: null,
    egress_channel: 'none',
  }
}
