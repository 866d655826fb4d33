import {
  agentVaultKeyFingerprint,
  agentVaultKeyId,
  agentVaultPairId,
  hash,
  type JsonObject,
  sha256,
  signingKeyFromSeed,
  toHex,
  type UnsignedAgentVaultReceiptV1,
  type UnsignedAgentVaultReceiptV2,
  utf8,
} from '@parley/protocol'

const keyOf = (octet: number) => signingKeyFromSeed(new Uint8Array(32).fill(octet))

/** The relay's receipt key, and a key of somebody else. */
export const KEYS = { relay: keyOf(0x51), stranger: keyOf(0x52) } as const

const digestOf = (text: string): string => toHex(sha256(utf8(text)))

const schema = {
  type: 'object',
  properties: { overlap: { type: 'string', enum: ['YES', 'NO'] } },
  required: ['overlap'],
  additionalProperties: false,
} as const satisfies JsonObject

const program = {
  version: '1.0.0',
  system_instruction: 'Say whether the two ranges overlap.',
  input_format: 'structured',
} as const satisfies JsonObject

const policy = {
  policy_version: '1',
  policy_id: 'example_policy',
  policy_scope: 'RELAY_GLOBAL',
  model_profile_allowlist: [],
  provider_allowlist: [],
  max_output_tokens: null,
  rules: [],
  entropy_constraints: null,
} as const satisfies JsonObject

const profile = {
  profile_version: '1',
  profile_id: 'example-profile',
  provider: 'anthropic',
  model_id: 'example-model',
  model_family: 'example',
  reasoning_mode: 'none',
  structured_output: true,
} as const satisfies JsonObject

const contract = {
  purpose_code: 'MEDIATION',
  output_schema_id: 'example_overlap_v1',
  output_schema: schema,
  participants: ['alice', 'bob'],
  prompt_template_hash: hash(program),
  entropy_budget_bits: 8,
  timing_class: null,
  metadata: null,
  model_profile_id: 'example-profile',
  model_profile_hash: hash(profile),
  enforcement_policy_hash: hash(policy),
  output_schema_hash: hash(schema),
  relay_verifying_key_hex: toHex(KEYS.relay.publicKey),
} as const satisfies JsonObject

/** All that the reader of a receipt may hold of its session. */
export const HELD = { contract, schema, program, policy, profile, output: { overlap: 'YES' } } as const

/** The receipt of the session in the first form, as AgentVault's relay fills it in. */
export const FIRST: UnsignedAgentVaultReceiptV1 = {
  schema_version: '1.0.0',
  session_id: digestOf('session'),
  purpose_code: 'MEDIATION',
  participant_ids: ['alice', 'bob'],
  runtime_hash: digestOf('runtime'),
  guardian_policy_hash: hash(policy),
  model_weights_hash: digestOf('api-mediated-no-local-weights'),
  llama_cpp_version: 'n/a',
  inference_config_hash: digestOf('api-mediated-no-local-inference'),
  output_schema_version: '1.0.0',
  session_start: '2026-03-05T12:00:00.123456789Z',
  session_end: '2026-03-05T12:00:04Z',
  fixed_window_duration_seconds: 0,
  status: 'COMPLETED',
  execution_lane: 'API_MEDIATED',
  output: HELD.output,
  output_entropy_bits: 1,
  mitigations_applied: [],
  budget_usage: {
    pair_id: agentVaultPairId(['alice', 'bob']),
    window_start: '2026-03-01T00:00:00Z',
    bits_used_before: 0,
    bits_used_after: 1,
    budget_limit: 128,
    budget_tier: 'DEFAULT',
    budget_enforcement: 'disabled',
  },
  model_identity: { provider: 'anthropic', model_id: 'example-model' },
  receipt_key_id: agentVaultKeyId(KEYS.relay.publicKey),
  model_profile_hash: hash(profile),
  contract_hash: hash(contract),
  output_schema_id: 'example_overlap_v1',
  output_schema_hash: hash(schema),
  signal_class: 'SESSION_COMPLETED',
  entropy_budget_bits: 8,
  prompt_template_hash: hash(program),
}

const preflight = {
  policy_hash: hash(policy),
  prompt_template_hash: hash(program),
  model_profile_hash: hash(profile),
  schema_hash: hash(schema),
  enforcement_parameters: { max_completion_tokens: 4096 },
}

/** The receipt of the session in the second form. */
export const SECOND: UnsignedAgentVaultReceiptV2 = {
  receipt_schema_version: '2.1.0',
  receipt_canonicalization: 'JCS_V1',
  receipt_id: '00000000-0000-4000-8000-000000000001',
  session_id: digestOf('session'),
  issued_at: '2026-03-05T12:00:04Z',
  assurance_level: 'SELF_ASSERTED',
  operator: {
    operator_id: 'relay.example',
    operator_key_fingerprint: agentVaultKeyFingerprint(KEYS.relay.publicKey),
  },
  commitments: {
    contract_hash: hash(contract),
    schema_hash: hash(schema),
    output_hash: hash(HELD.output),
    input_commitments: ['alice', 'bob'].map((participant_id) => ({
      participant_id,
      input_hash: hash({ of: participant_id }),
      hash_alg: 'SHA-256' as const,
      canonicalization: 'CANONICAL_JSON_V1',
    })),
    assembled_prompt_hash: digestOf('prompt'),
    prompt_assembly_version: '1.0.0',
    output: HELD.output,
    prompt_template_hash: hash(program),
    effective_config_hash: hash(preflight),
    preflight_bundle: preflight,
  },
  claims: {
    model_identity_asserted: 'anthropic/example-model',
    model_profile_hash_asserted: hash(profile),
    runtime_hash_asserted: digestOf('runtime'),
    budget_enforcement_mode: 'advisory',
    relay_software_version: '0.1.0',
    status: 'success',
    signal_class: 'SESSION_COMPLETED',
    execution_lane: 'standard',
    channel_capacity_bits_upper_bound: 1,
    channel_capacity_measurement_version: 'enum_cardinality_v1',
    entropy_budget_bits: 8,
    schema_entropy_ceiling_bits: 1,
    budget_usage: { bits_used_before: 0, bits_used_after: 1, budget_limit: 8 },
  },
}
