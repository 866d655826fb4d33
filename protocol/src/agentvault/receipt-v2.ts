import * as v from 'valibot'
import { fromBase64url, toBase64url } from '../base64url.js'
import { type Ed25519PublicKey, type SigningKey, verifyEd25519 } from '../ed25519.js'
import { ProtocolError } from '../errors.js'
import type { JsonValue } from '../json-value.js'
import { decode } from '../objects/decode.js'
import { base64url, digest, hex, integer, json, text } from '../objects/formats.js'
import { count, instant, requireExactNumbers } from './formats.js'
import { prefixedDigest } from './prefixed-digest.js'

const PREFIX = 'VCAV-RECEIPT-V2:'

const inputCommitment = v.strictObject({
  participant_id: text(256),
  input_hash: digest,
  hash_alg: v.literal('SHA-256'),
  canonicalization: text(64),
})

const preflightBundle = v.strictObject({
  policy_hash: digest,
  prompt_template_hash: digest,
  // Their relay writes "none" for a contract without a profile, which their published schema refuses.
  model_profile_hash: v.union([digest, v.literal('none')]),
  schema_hash: digest,
  enforcement_parameters: json,
})

const commitments = v.strictObject({
  contract_hash: digest,
  schema_hash: digest,
  output_hash: digest,
  // Their TEE lane leaves it empty where a session failed, which their published schema refuses.
  input_commitments: v.pipe(v.array(inputCommitment), v.maxLength(8)),
  assembled_prompt_hash: digest,
  prompt_assembly_version: text(64),
  output: v.exactOptional(json),
  prompt_template_hash: v.exactOptional(digest),
  effective_config_hash: v.exactOptional(digest),
  preflight_bundle: v.exactOptional(preflightBundle),
  output_retrieval_uri: v.exactOptional(text(2048)),
  output_media_type: v.exactOptional(text(256)),
  preflight_bundle_uri: v.exactOptional(text(2048)),
  rejected_output_hash: v.exactOptional(digest),
  initiator_submission_hash: v.exactOptional(digest),
  responder_submission_hash: v.exactOptional(digest),
})

const claims = v.strictObject({
  model_identity_asserted: v.exactOptional(text(512)),
  model_identity_attested: v.exactOptional(text(512)),
  model_profile_hash_asserted: v.exactOptional(digest),
  runtime_hash_asserted: v.exactOptional(digest),
  runtime_hash_attested: v.exactOptional(digest),
  budget_enforcement_mode: v.exactOptional(v.picklist(['enforced', 'advisory', 'disabled'])),
  provider_latency_ms: v.exactOptional(integer(0)),
  token_usage: v.exactOptional(
    v.strictObject({ prompt_tokens: count, completion_tokens: count, total_tokens: count }),
  ),
  relay_software_version: v.exactOptional(text(128)),
  status: v.exactOptional(v.picklist(['success', 'rejected', 'aborted', 'error'])),
  signal_class: v.exactOptional(text(64)),
  execution_lane: v.exactOptional(v.picklist(['standard', 'tee'])),
  channel_capacity_bits_upper_bound: v.exactOptional(count),
  channel_capacity_measurement_version: v.exactOptional(text(64)),
  entropy_budget_bits: v.exactOptional(count),
  schema_entropy_ceiling_bits: v.exactOptional(count),
  budget_usage: v.exactOptional(
    v.strictObject({ bits_used_before: count, bits_used_after: count, budget_limit: count }),
  ),
})

const providerAttestation = v.strictObject({
  provider_attestation_blob: text(1 << 16),
  provider_attestation_type: text(128),
  provider_key_id: text(256),
  provider_key_discovery_uri: v.exactOptional(text(2048)),
})

const teeAttestation = v.strictObject({
  tee_type: v.exactOptional(v.picklist(['SGX', 'TDX', 'SEV-SNP', 'TrustZone', 'Simulated'])),
  measurement: v.exactOptional(text(128)),
  quote: v.exactOptional(text(1 << 16)),
  attestation_hash: v.exactOptional(digest),
  receipt_signing_pubkey_hex: v.exactOptional(digest),
  transcript_hash_hex: v.exactOptional(hex(64)),
  user_data_hex: v.exactOptional(hex(64)),
  snp_vcek_cert: v.exactOptional(text(1 << 14)),
})

const receipt = v.strictObject({
  receipt_schema_version: v.literal('2.1.0'),
  receipt_canonicalization: v.literal('JCS_V1'),
  // Theirs is a UUID, and the session's is hex in one lane and a UUID in the other; nothing depends on either form.
  receipt_id: text(256),
  session_id: text(256),
  issued_at: instant,
  assurance_level: v.picklist(['SELF_ASSERTED', 'OPERATOR_AUDITED', 'PROVIDER_ATTESTED', 'TEE_ATTESTED']),
  operator: v.strictObject({
    operator_id: text(256),
    operator_key_fingerprint: digest,
    operator_key_discovery: v.exactOptional(text(2048)),
  }),
  commitments,
  claims,
  provider_attestation: v.exactOptional(providerAttestation),
  tee_attestation: v.exactOptional(teeAttestation),
  signature: v.strictObject({
    // Their schema names ES256 and ES384, and nothing of theirs signs or verifies with them.
    alg: v.literal('Ed25519'),
    value: base64url(64),
    signed_fields: v.exactOptional(v.literal('ALL_EXCEPT_SIGNATURE')),
  }),
})

/** A receipt of AgentVault's second form, `receipt_schema_version` 2.1.0. */
export type AgentVaultReceiptV2 = v.InferOutput<typeof receipt>

/** The same before it is signed. */
export type UnsignedAgentVaultReceiptV2 = Omit<AgentVaultReceiptV2, 'signature'>

/**
 * Reads a receipt of AgentVault's second form, as its relays write them. Unknown members and versions are refused.
 * @throws ProtocolError object_malformed, also for an integer beyond ±(2^53 − 1)
 * @see SPEC §20
 */
export const parseAgentVaultReceiptV2 = (value: JsonValue): AgentVaultReceiptV2 => {
  requireExactNumbers(value)
  return decode(receipt, value, 'AgentVault receipt 2.1.0')
}

/**
 * Signs a receipt as AgentVault's relay does: Ed25519 over SHA-256("VCAV-RECEIPT-V2:" ‖ JCS without `signature`), in
 * unpadded base64url. What it returns can be parsed.
 * @throws ProtocolError object_malformed
 */
export const signAgentVaultReceiptV2 = (
  unsigned: UnsignedAgentVaultReceiptV2,
  key: SigningKey,
): AgentVaultReceiptV2 =>
  parseAgentVaultReceiptV2({
    ...unsigned,
    signature: {
      alg: 'Ed25519',
      value: toBase64url(key.sign(prefixedDigest(PREFIX, unsigned))),
      signed_fields: 'ALL_EXCEPT_SIGNATURE',
    },
  })

/**
 * Verifies the signature under a key that the caller trusts; no key inside the receipt has a part in it.
 * @throws ProtocolError signature_invalid
 */
export const verifyAgentVaultReceiptV2 = (read: AgentVaultReceiptV2, key: Ed25519PublicKey): void => {
  const { signature, ...unsigned } = read
  if (!verifyEd25519(key, prefixedDigest(PREFIX, unsigned), fromBase64url(signature.value, 64)))
    throw new ProtocolError('signature_invalid', 'the signature does not hold')
}
