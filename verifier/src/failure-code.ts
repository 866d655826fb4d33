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
  | 'release_mismatch'
  | 'tee_mismatch'
  | 'contract_mismatch'
  | 'schema_mismatch'
  | 'program_mismatch'
  | 'policy_mismatch'
  | 'contract_refused'
  | 'capacity_mismatch'
  | 'offer_missing'
  | 'offer_expired'
  | 'offer_mismatch'
  | 'participants_mismatch'
  | 'consent_missing'
  | 'consent_mismatch'
  | 'transcript_mismatch'
  | 'outcome_mismatch'
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
