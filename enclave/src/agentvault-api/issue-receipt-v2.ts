import {
  agentVaultKeyFingerprint,
  type AgentVaultReceiptV2,
  hash,
  type JsonObject,
  NO_OUTPUT_HASH,
  signAgentVaultReceiptV2,
} from '@parley/protocol'
import { RELEASE_VERSION } from '../release-version.js'
import type { AgreedContract } from './agreed-contract.js'
import type { ApiServices } from './api-services.js'
import type { AbortReason, ApiSession } from './api-session.js'
import type { EvaluationResult } from './evaluate-inputs.js'
import { freshUuid } from './random-ids.js'
import { receiptFigures, RUNTIME_HASH } from './receipt-figures.js'
import { rfc3339 } from './rfc3339.js'

/** SHA-256 of nothing stands for a prompt that was not assembled, as it does for an output. */
const NO_PROMPT_HASH = NO_OUTPUT_HASH
const PROMPT_ASSEMBLY = 'parley-1'
const CAPACITY_MEASUREMENT = 'parley_exact_v1'

type Claims = AgentVaultReceiptV2['claims']
type Commitments = AgentVaultReceiptV2['commitments']

/** The receipt of form 2.1.0, which every session that ended has. */
export function issueReceiptV2(
  services: ApiServices,
  session: ApiSession,
  evaluation: EvaluationResult,
  endedAt: number,
): AgentVaultReceiptV2 {
  const { signingKey, config, random } = services
  return signAgentVaultReceiptV2(
    {
      receipt_schema_version: '2.1.0',
      receipt_canonicalization: 'JCS_V1',
      receipt_id: freshUuid(random),
      session_id: session.id,
      issued_at: rfc3339(endedAt),
      assurance_level: 'SELF_ASSERTED',
      operator: {
        operator_id: config.operator_id,
        operator_key_fingerprint: agentVaultKeyFingerprint(signingKey.publicKey),
      },
      commitments: commitmentsOf(session, evaluation),
      claims: claimsOf(session, evaluation),
    },
    signingKey,
  )
}

function commitmentsOf({ agreed, accepted }: ApiSession, evaluation: EvaluationResult): Commitments {
  const { admitted, participants } = agreed
  return {
    contract_hash: agreed.contractHash,
    schema_hash: admitted.output_schema_hash,
    // Those that were accepted: a session that timed out may have one, or none.
    input_commitments: participants.flatMap((participant_id, seat) => {
      const input_hash = accepted[seat]?.input_hash
      return input_hash === undefined
        ? []
        : [
            {
              participant_id,
              input_hash,
              hash_alg: 'SHA-256' as const,
              canonicalization: 'CANONICAL_JSON_V1',
            },
          ]
    }),
    assembled_prompt_hash: evaluation.promptHash ?? NO_PROMPT_HASH,
    prompt_assembly_version: PROMPT_ASSEMBLY,
    ...(evaluation.ok
      ? { output_hash: hash(evaluation.output), output: evaluation.output }
      : { output_hash: NO_OUTPUT_HASH }),
    ...preflightOf(agreed),
  }
}

/** What a model's run was configured with; a contract's own program is in the contract. */
function preflightOf({
  admitted,
  maxCompletionTokens,
}: AgreedContract): Pick<Commitments, 'prompt_template_hash' | 'effective_config_hash' | 'preflight_bundle'> {
  const { model } = admitted
  if (model === null) return {}
  const parameters: JsonObject = { max_completion_tokens: maxCompletionTokens }
  const preflight_bundle = {
    policy_hash: admitted.guardian_policy_hash,
    prompt_template_hash: model.prompt_program_hash,
    model_profile_hash: model.model_profile_hash,
    schema_hash: admitted.output_schema_hash,
    enforcement_parameters: parameters,
  }
  return {
    prompt_template_hash: model.prompt_program_hash,
    effective_config_hash: hash(preflight_bundle),
    preflight_bundle,
  }
}

const OUTCOMES: Readonly<Record<AbortReason | 'NONE', Pick<Claims, 'status' | 'signal_class'>>> = {
  NONE: { status: 'success', signal_class: 'SESSION_COMPLETED' },
  SCHEMA_VALIDATION: { status: 'rejected', signal_class: 'schema_validation_failed' },
  POLICY_GATE: { status: 'rejected', signal_class: 'policy_gate_violated' },
  PROVIDER_ERROR: { status: 'error', signal_class: 'provider_error' },
  TIMEOUT: { status: 'error', signal_class: 'timeout' },
  CONTRACT_MISMATCH: { status: 'error', signal_class: 'contract_validation_failed' },
}

function claimsOf({ agreed, phase }: ApiSession, evaluation: EvaluationResult): Claims {
  const { capacityBits, schemaBits, budgetLimit, enforcement } = receiptFigures(agreed)
  const { model, contract } = agreed.admitted
  const { entropy_budget_bits: budget } = contract
  // No latency and no token count: both tell of the inputs, beyond what the capacity says.
  return {
    ...(model === null
      ? {}
      : {
          model_identity_asserted: `${model.profile.provider}/${model.profile.model_id}`,
          model_profile_hash_asserted: model.model_profile_hash,
        }),
    runtime_hash_asserted: RUNTIME_HASH,
    budget_enforcement_mode: enforcement === 'advisory' ? 'advisory' : 'enforced',
    relay_software_version: RELEASE_VERSION,
    ...OUTCOMES[evaluation.ok ? 'NONE' : evaluation.reason],
    execution_lane: 'standard',
    channel_capacity_bits_upper_bound: capacityBits,
    channel_capacity_measurement_version: CAPACITY_MEASUREMENT,
    ...(budget === null ? {} : { entropy_budget_bits: budget }),
    schema_entropy_ceiling_bits: schemaBits,
    budget_usage: {
      bits_used_before: 0,
      // However an evaluation ended, its end is one of the outcomes that were counted.
      bits_used_after: phase.kind === 'processing' ? capacityBits : 0,
      budget_limit: budgetLimit,
    },
  }
}
