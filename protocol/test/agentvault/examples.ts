import {
  signingKeyFromSeed,
  type UnsignedAgentVaultReceiptV1,
  type UnsignedAgentVaultReceiptV2,
} from '../../src/index.js'

const digest = (octet: string): string => octet.repeat(32)

/** A key, and another. */
export const KEY = signingKeyFromSeed(new Uint8Array(32).fill(1))
export const OTHER = signingKeyFromSeed(new Uint8Array(32).fill(2))

/** The least that a receipt of the first form holds. */
export const FIRST: UnsignedAgentVaultReceiptV1 = {
  schema_version: '1.0.0',
  session_id: digest('aa'),
  purpose_code: 'MEDIATION',
  participant_ids: ['alice', 'bob'],
  runtime_hash: digest('01'),
  guardian_policy_hash: digest('02'),
  model_weights_hash: digest('03'),
  llama_cpp_version: 'n/a',
  inference_config_hash: digest('04'),
  output_schema_version: '1.0.0',
  session_start: '2026-03-05T12:00:00Z',
  session_end: '2026-03-05T12:00:04.5+00:00',
  fixed_window_duration_seconds: 0,
  status: 'COMPLETED',
  output: { overlap: 'YES' },
  output_entropy_bits: 1,
  mitigations_applied: [],
  budget_usage: {
    pair_id: digest('05'),
    window_start: '2026-03-01T00:00:00Z',
    bits_used_before: 0,
    bits_used_after: 1,
    budget_limit: 128,
    budget_tier: 'DEFAULT',
  },
}

/** The least that a receipt of the second form holds. */
export const SECOND: UnsignedAgentVaultReceiptV2 = {
  receipt_schema_version: '2.1.0',
  receipt_canonicalization: 'JCS_V1',
  receipt_id: 'receipt',
  session_id: 'session',
  issued_at: '2026-03-05T12:00:04Z',
  assurance_level: 'SELF_ASSERTED',
  operator: { operator_id: 'relay.example', operator_key_fingerprint: digest('06') },
  commitments: {
    contract_hash: digest('07'),
    schema_hash: digest('08'),
    output_hash: digest('09'),
    input_commitments: [],
    assembled_prompt_hash: digest('0a'),
    prompt_assembly_version: '1.0.0',
  },
  claims: {},
}
