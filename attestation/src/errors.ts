/**
 * What a failure means to somebody who asked for a verdict.
 *
 * `malformed` the bytes are not what they claim to be · `not_genuine` well-formed, but nothing that AMD stands
 * for · `not_expected` genuine, but not what the policy asks for · `collection` the platform gave no report ·
 * `usage` the caller left something out.
 */
export type FailureClass = 'malformed' | 'not_genuine' | 'not_expected' | 'collection' | 'usage'

// One table: the closed union of codes, and the class of each.
const FAILURE_CLASSES = {
  report_malformed: 'malformed',
  report_version_unsupported: 'malformed',
  certificate_malformed: 'malformed',
  certificate_table_malformed: 'malformed',
  crl_malformed: 'malformed',
  firmware_malformed: 'malformed',
  endorsement_malformed: 'malformed',
  boot_evidence_malformed: 'malformed',
  event_log_malformed: 'malformed',

  collateral_missing: 'not_genuine',
  signing_key_unsupported: 'not_genuine',
  leaf_kind_mismatch: 'not_genuine',
  product_unsupported: 'not_genuine',
  product_mismatch: 'not_genuine',
  root_not_pinned: 'not_genuine',
  chain_broken: 'not_genuine',
  chain_signature_invalid: 'not_genuine',
  certificate_expired: 'not_genuine',
  certificate_not_yet_valid: 'not_genuine',
  certificate_revoked: 'not_genuine',
  crl_issuer_mismatch: 'not_genuine',
  crl_signature_invalid: 'not_genuine',
  crl_not_yet_valid: 'not_genuine',
  report_signature_invalid: 'not_genuine',
  endorsement_signature_invalid: 'not_genuine',
  tcb_mismatch: 'not_genuine',
  chip_id_mismatch: 'not_genuine',
  boot_evidence_missing: 'not_genuine',
  boot_evidence_unexpected: 'not_genuine',
  attestation_key_mismatch: 'not_genuine',
  attestation_key_unsuitable: 'not_genuine',
  quote_signature_invalid: 'not_genuine',
  qualifying_data_mismatch: 'not_genuine',
  event_log_mismatch: 'not_genuine',

  product_refused: 'not_expected',
  report_version_refused: 'not_expected',
  signing_key_refused: 'not_expected',
  csp_id_mismatch: 'not_expected',
  report_data_mismatch: 'not_expected',
  vmpl_refused: 'not_expected',
  measurement_mismatch: 'not_expected',
  guest_policy_refused: 'not_expected',
  debug_enabled: 'not_expected',
  guest_svn_below_minimum: 'not_expected',
  tcb_below_minimum: 'not_expected',
  tcb_order_refused: 'not_expected',
  firmware_below_minimum: 'not_expected',
  mitigations_missing: 'not_expected',
  firmware_provisional: 'not_expected',
  platform_info_refused: 'not_expected',
  chip_id_refused: 'not_expected',
  host_data_mismatch: 'not_expected',
  family_id_mismatch: 'not_expected',
  image_id_mismatch: 'not_expected',
  id_key_digest_mismatch: 'not_expected',
  report_id_mismatch: 'not_expected',
  report_id_ma_mismatch: 'not_expected',
  author_key_digest_mismatch: 'not_expected',
  id_block_malformed: 'not_expected',
  id_block_signature_invalid: 'not_expected',
  id_block_mismatch: 'not_expected',
  certificate_too_old: 'not_expected',
  crl_missing: 'not_expected',
  crl_expired: 'not_expected',
  crl_too_old: 'not_expected',
  pcr_not_quoted: 'not_expected',
  pcr_mismatch: 'not_expected',
  boot_event_refused: 'not_expected',
  secure_boot_off: 'not_expected',
  uki_mismatch: 'not_expected',
  command_line_mismatch: 'not_expected',
  claim_root_refused: 'not_expected',

  provider_missing: 'collection',
  provider_unexpected: 'collection',
  privilege_level_refused: 'collection',
  collector_forbidden: 'collection',
  collector_busy: 'collection',
  collector_timeout: 'collection',
  collector_disabled: 'collection',
  collector_failed: 'collection',
  firmware_refused: 'collection',
  host_refused: 'collection',
  generation_changed: 'collection',
  report_data_changed: 'collection',
  collateral_unavailable: 'collection',
  collateral_throttled: 'collection',
  collateral_unexpected: 'collection',
  tpm_key_missing: 'collection',
  tpm_refused: 'collection',
  event_log_unavailable: 'collection',

  policy_malformed: 'usage',
  reference_value_missing: 'usage',
  argument_invalid: 'usage',
  measurement_input_malformed: 'usage',
  root_missing: 'usage',
  cache_unusable: 'usage',
} as const satisfies Record<string, FailureClass>

/** Every way in which evidence, a policy or a collection can be wrong. The union is closed. */
export type AttestationErrorCode = keyof typeof FAILURE_CLASSES

/**
 * The class of a failure; a verifier's exit code follows from it.
 * @param code any code of this package
 */
export const failureClass = (code: AttestationErrorCode): FailureClass => FAILURE_CLASSES[code]

/** Thrown by every parser, verifier and collector of this package. The message never holds input bytes. */
export class AttestationError extends Error {
  readonly code: AttestationErrorCode

  constructor(code: AttestationErrorCode, message: string) {
    super(message)
    this.name = 'AttestationError'
    this.code = code
  }
}

/** @throws AttestationError with this code where something does not hold */
export const demand = (holds: boolean, code: AttestationErrorCode, what: string): void => {
  if (!holds) throw new AttestationError(code, what)
}
