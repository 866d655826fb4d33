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
  | 'profile_mismatch'
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
  /** The findings are not those of the policy's advisory rules on that output. */
  | 'findings_mismatch'
  /** The parts that participants get are not those that the policy's rules leave them. */
  | 'narrowing_mismatch'
  | 'input_refused'
  /** The evidence of a provider is not the one that the receipt names. */
  | 'provider_mismatch'
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
  /** The caller gave nothing to compare with. */
  | 'artefact_not_given'
  /** The receipt does not say. */
  | 'not_named'
  /** The receipt names another key, on which nothing rests. */
  | 'other_key_named'
  /** What stands inside the receipt is not what its hash is of, and nobody but its signer can have done that. */
  | 'inline_differs'
  /** Words of the operator that nothing bears out. */
  | 'asserted_only'
  | 'no_report'
  /** A model that is asked again may answer otherwise. */
  | 'model_not_repeatable'
  /** The receipt names no evidence of a provider. */
  | 'provider_not_attested'
  /** The policy describes no provider, so nothing is expected of one and nothing claimed. */
  | 'provider_not_expected'
  /** Evidence of a kind that this verifier does not know. */
  | 'not_appraised_here'

// These two leave a gap where proof was due; all others say that there was nothing to prove.
const GAPS: readonly NotRunCode[] = ['prerequisite_failed', 'waived']

/** Whether a check that was not run leaves the verdict without something that it needs. */
export const isGap = (code: NotRunCode): boolean => GAPS.includes(code)
