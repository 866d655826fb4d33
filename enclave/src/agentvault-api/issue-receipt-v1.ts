import {
  agentVaultPairId,
  type AgentVaultReceiptV1,
  type JsonValue,
  signAgentVaultReceiptV1,
  type UnsignedAgentVaultReceiptV1,
} from '@parley/protocol'
import type { AgreedContract } from './agreed-contract.js'
import type { ApiServices } from './api-services.js'
import type { ApiSession } from './api-session.js'
import { hashOfText, receiptFigures, RUNTIME_HASH } from './receipt-figures.js'
import { rfc3339 } from './rfc3339.js'

// What AgentVault's relay writes where nothing runs beside it.
const NO_LOCAL_WEIGHTS = hashOfText('api-mediated-no-local-weights')
const NO_LOCAL_INFERENCE = hashOfText('api-mediated-no-local-inference')

/** The receipt of form 1.0.0, which only a session with an output has. */
export function issueReceiptV1(
  { signingKey }: Pick<ApiServices, 'signingKey'>,
  session: ApiSession,
  output: JsonValue,
  endedAt: number,
): AgentVaultReceiptV1 {
  const { agreed, id, createdAt } = session
  const { schemaBits } = receiptFigures(agreed)
  const { admitted, participants } = agreed
  const unsigned: UnsignedAgentVaultReceiptV1 = {
    schema_version: '1.0.0',
    session_id: id,
    purpose_code: admitted.contract.purpose_code,
    participant_ids: [...participants],
    runtime_hash: RUNTIME_HASH,
    guardian_policy_hash: admitted.guardian_policy_hash,
    output_schema_version: '1.0.0',
    session_start: rfc3339(createdAt),
    session_end: rfc3339(endedAt),
    fixed_window_duration_seconds: 0,
    status: 'COMPLETED',
    output,
    output_entropy_bits: schemaBits,
    mitigations_applied: [],
    budget_usage: budgetUsage(session),
    contract_hash: agreed.contractHash,
    output_schema_id: admitted.contract.output_schema_id,
    output_schema_hash: admitted.output_schema_hash,
    signal_class: 'SESSION_COMPLETED',
    ...budgetOf(agreed),
    ...evaluatedBy(agreed),
  }
  return signAgentVaultReceiptV1(unsigned, signingKey)
}

function budgetUsage({ agreed, createdAt }: ApiSession): AgentVaultReceiptV1['budget_usage'] {
  const { capacityBits, budgetLimit, enforcement } = receiptFigures(agreed)
  return {
    pair_id: agentVaultPairId(agreed.participants),
    window_start: rfc3339(createdAt),
    bits_used_before: 0,
    bits_used_after: capacityBits,
    budget_limit: budgetLimit,
    budget_tier: 'DEFAULT',
    budget_enforcement: enforcement,
  }
}

function budgetOf({ admitted: { contract } }: AgreedContract): { readonly entropy_budget_bits?: number } {
  const { entropy_budget_bits: bits } = contract
  return bits === null ? {} : { entropy_budget_bits: bits }
}

type ByEvaluator = Pick<
  UnsignedAgentVaultReceiptV1,
  | 'model_weights_hash'
  | 'llama_cpp_version'
  | 'inference_config_hash'
  | 'execution_lane'
  | 'prompt_template_hash'
  | 'model_profile_hash'
  | 'model_identity'
>

function evaluatedBy({ admitted: { model, program_hash } }: AgreedContract): ByEvaluator {
  const nothing = { model_weights_hash: NO_LOCAL_WEIGHTS, llama_cpp_version: 'n/a' }
  if (model === null)
    return {
      ...nothing,
      inference_config_hash: program_hash ?? NO_LOCAL_INFERENCE,
      execution_lane: 'SOFTWARE_LOCAL',
    }
  const { profile, model_profile_hash, prompt_program_hash } = model
  return {
    ...nothing,
    inference_config_hash: NO_LOCAL_INFERENCE,
    execution_lane: 'API_MEDIATED',
    prompt_template_hash: prompt_program_hash,
    model_profile_hash,
    // As asked for: what a provider says of itself is text of its own choosing.
    model_identity: { provider: profile.provider, model_id: profile.model_id },
  }
}
