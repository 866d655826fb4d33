import * as v from 'valibot'
import { fromHex, toHex } from '../bytes.js'
import { type Ed25519PublicKey, type SigningKey, verifyEd25519 } from '../ed25519.js'
import { ProtocolError } from '../errors.js'
import type { JsonValue } from '../json-value.js'
import { decode } from '../objects/decode.js'
import { digest, hex, json, jsonObject, text } from '../objects/formats.js'
import { count, instant, requireExactNumbers } from './formats.js'
import { prefixedDigest } from './prefixed-digest.js'

const PREFIX = 'VCAV-RECEIPT-V1:'

const budgetUsage = v.strictObject({
  pair_id: digest,
  window_start: instant,
  bits_used_before: count,
  bits_used_after: count,
  budget_limit: count,
  budget_tier: v.picklist(['DEFAULT', 'ELEVATED', 'CUSTOM']),
  budget_enforcement: v.exactOptional(text(64)),
  compartment_id: v.exactOptional(digest),
})

const budgetChain = v.strictObject({
  chain_id: v.pipe(v.string(), v.regex(/^chain-[0-9a-f]{64}$/, 'chain id')),
  prev_receipt_hash: v.nullable(digest),
  receipt_hash: digest,
})

// As their relay writes it, not as their published schema has it: that one knows neither "n/a" for llama.cpp, nor a
// window of 0 seconds, nor five of these members, and so refuses every receipt of the relay.
const receipt = v.strictObject({
  schema_version: v.literal('1.0.0'),
  session_id: digest,
  purpose_code: v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'purpose code')),
  participant_ids: v.strictTuple([text(128), text(128)]),
  runtime_hash: digest,
  guardian_policy_hash: digest,
  model_weights_hash: digest,
  llama_cpp_version: text(64),
  inference_config_hash: digest,
  output_schema_version: text(64),
  session_start: instant,
  session_end: instant,
  fixed_window_duration_seconds: count,
  status: v.picklist(['COMPLETED', 'ABORTED']),
  output: json,
  output_entropy_bits: count,
  mitigations_applied: v.pipe(v.array(text(256)), v.maxLength(256)),
  budget_usage: budgetUsage,
  // Absent in the oldest, which are of the software lane.
  execution_lane: v.exactOptional(v.picklist(['SEALED_LOCAL', 'SOFTWARE_LOCAL', 'API_MEDIATED'])),
  budget_chain: v.exactOptional(v.nullable(budgetChain)),
  agreement_hash: v.exactOptional(digest),
  receipt_key_id: v.exactOptional(v.pipe(v.string(), v.regex(/^[A-Za-z0-9._:-]{1,128}$/, 'key id'))),
  model_identity: v.exactOptional(
    v.strictObject({
      provider: text(128),
      model_id: text(256),
      model_version: v.exactOptional(text(256)),
    }),
  ),
  model_profile_hash: v.exactOptional(digest),
  policy_bundle_hash: v.exactOptional(digest),
  contract_hash: v.exactOptional(digest),
  output_schema_id: v.exactOptional(text(128)),
  output_schema_hash: v.exactOptional(digest),
  signal_class: v.exactOptional(text(64)),
  entropy_budget_bits: v.exactOptional(count),
  schema_entropy_ceiling_bits: v.exactOptional(count),
  prompt_template_hash: v.exactOptional(digest),
  contract_timing_class: v.exactOptional(text(64)),
  ifc_output_label: v.exactOptional(json),
  ifc_policy_hash: v.exactOptional(digest),
  ifc_label_receipt: v.exactOptional(json),
  ifc_joined_confidentiality: v.exactOptional(json),
  entropy_status_commitment: v.exactOptional(digest),
  ledger_head_hash: v.exactOptional(digest),
  delta_commitment_counterparty: v.exactOptional(digest),
  delta_commitment_contract: v.exactOptional(digest),
  policy_declaration: v.exactOptional(jsonObject),
  attestation: v.exactOptional(v.nullable(jsonObject)),
  signature: hex(64),
})

/** A receipt of AgentVault's first form, `schema_version` 1.0.0. */
export type AgentVaultReceiptV1 = v.InferOutput<typeof receipt>

/** The same before it is signed. */
export type UnsignedAgentVaultReceiptV1 = Omit<AgentVaultReceiptV1, 'signature'>

/**
 * Reads a receipt of AgentVault's first form, as its relay writes them. Unknown members are refused.
 * @throws ProtocolError object_malformed, also for an integer beyond ±(2^53 − 1)
 * @see SPEC §20
 */
export const parseAgentVaultReceiptV1 = (value: JsonValue): AgentVaultReceiptV1 => {
  requireExactNumbers(value)
  return decode(receipt, value, 'AgentVault receipt 1.0.0')
}

/**
 * Signs a receipt as AgentVault's relay does: Ed25519 over SHA-256("VCAV-RECEIPT-V1:" ‖ JCS without `signature`), in
 * lower-case hex. What it returns can be parsed.
 * @throws ProtocolError object_malformed
 */
export const signAgentVaultReceiptV1 = (
  unsigned: UnsignedAgentVaultReceiptV1,
  key: SigningKey,
): AgentVaultReceiptV1 =>
  parseAgentVaultReceiptV1({ ...unsigned, signature: toHex(key.sign(prefixedDigest(PREFIX, unsigned))) })

/**
 * Verifies the signature under a key that the caller trusts.
 * @throws ProtocolError signature_invalid
 */
export const verifyAgentVaultReceiptV1 = (read: AgentVaultReceiptV1, key: Ed25519PublicKey): void => {
  const { signature, ...unsigned } = read
  if (!verifyEd25519(key, prefixedDigest(PREFIX, unsigned), fromHex(signature, 64)))
    throw new ProtocolError('signature_invalid', 'the signature does not hold')
}
