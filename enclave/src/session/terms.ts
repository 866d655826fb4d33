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

/** The terms of an agreement. Only a provider's model takes inputs out of the relay, and nothing bounds what it does. */
export function termsOf({
  contractHash,
  admitted,
  service,
}: Pick<Agreement, 'contractHash' | 'admitted' | 'service'>): Terms {
  return {
    contract_hash: contractHash,
    output_schema_hash: admitted.output_schema_hash,
    evaluator: admitted.evaluator,
    program_hash: admitted.program_hash,
    prompt_program_hash: admitted.model?.prompt_program_hash ?? null,
    model_profile_hash: admitted.model?.model_profile_hash ?? null,
    guardian_policy_hash: admitted.guardian_policy_hash,
    provider_account: service?.account ?? null,
    egress_channel: admitted.evaluator === 'llm' ? 'unbounded' : 'none',
  }
}
