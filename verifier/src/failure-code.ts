import type { AttestationErrorCode } from '@parley/attestation'
import type { ProtocolErrorCode } from '@parley/protocol'

/** Every reason of this room's own for which a check fails. The union is closed. */
export type MismatchCode =
  | 'nonce_mismatch'
  | 'evidence_not_at_boot'
  | 'certificate_unused'
  | 'keyset_not_yet_valid'
  | 'keyset_expired'
  | 'keyset_mismatch'
  | 'value_unexpected'
  | 'receipt_key_not_pinned'
  | 'simulated_without_leave'
  | 'assurance_too_low'
  | 'assurance_overclaimed'
  | 'lane_mismatch'
  | 'receipt_outside_keyset'
  | 'receipt_before_offer'
  | 'release_mismatch'
  | 'tee_mismatch'
  | 'contract_mismatch'
  | 'schema_mismatch'
  | 'program_mismatch'
  | 'policy_mismatch'
  | 'contract_refused'
  | 'capacity_mismatch'
  | 'advisories_mismatch'
  | 'offer_missing'
  | 'offer_expired'
  | 'offer_mismatch'
  | 'offer_outside_keyset'
  | 'size_class_unknown'
  /** Two nonces of 32 random octets that are equal: one of them was not drawn but sent back. */
  | 'nonce_reflected'
  | 'participants_mismatch'
  | 'consent_missing'
  | 'consent_mismatch'
  | 'transcript_mismatch'
  | 'outcome_mismatch'
  /** The ledger heads are not those of a session that ended so. */
  | 'heads_mismatch'
  | 'input_commitment_mismatch'
  | 'output_of_aborted'
  | 'audit_mismatch'
  | 'opening_mismatch'
  | 'output_refused'
  | 'input_refused'
  | 'ledger_mismatch'
  | 'reexecution_mismatch'

/** Why a check failed. */
export type FailureCode = MismatchCode | ProtocolErrorCode | AttestationErrorCode

/** Why a check was not run. */
export type NotRunCode =
  /** Something that it stands on has failed. */
  | 'prerequisite_failed'
  /** The policy waived it by name. */
  | 'waived'
  | 'software_lane'
  /** The policy asks for no hardware, so nothing is expected of it. */
  | 'hardware_not_expected'
  | 'nonce_not_demanded'
  /** The session ended before this came to be. */
  | 'not_reached'
  | 'output_not_open'
  | 'inputs_not_open'
  | 'ledger_not_open'
  | 'audit_not_open'
  | 'hardware_path_pending'

// These two leave a gap where proof was due; all others say that there was nothing to prove.
const GAPS: readonly NotRunCode[] = ['prerequisite_failed', 'waived']

/** Whether a check that was not run leaves the verdict without something that it needs. */
export const isGap = (code: NotRunCode): boolean => GAPS.includes(code)
