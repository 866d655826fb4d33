import type { AttachmentCode } from './check-attachments.js'
import type { InjectionCode } from './sanitise-instruction.js'

/**
 * Why a task was rejected: a label, a colon, a code. The label is Corvin A2A v4's own number of the step (`2.5` purpose,
 * `S-3` rate limit, `C-1` and `C-2` consent), so that the log can be read in its order, too. For the receiver's log alone:
 * no answer depends on it.
 */
export type RejectionReason =
  | `1:${SchemaReason}`
  | `2:${OriginReason}`
  | '2:origin_disabled'
  | '3:time_window'
  | '5:ttl_exceeded'
  | '5:envelope_expired'
  | '6:bad_signature'
  | '6:bad_sender_signature'
  | '2.5:purpose_id_required'
  | '2.5:purpose_not_allowed'
  | 'S-3:rate_limited'
  | '4:replay'
  | '4:nonce_quota'
  | '4:nonce_store_full'
  | `7:${AttachmentCode}`
  | 'pin:sender_instance_id_mismatch'
  | 'audit:audit_write_failed'
  | '7:attachment_classification_exceeded'
  | '7:classification_check_error'
  | '7:data_flow_blocked'
  | 'C-1:consent_not_granted'
  | 'C-2:data_subject_missing'
  | `injection_attempt:${InjectionCode}`
  | 'effect:no_allowed_personas'
  | 'check_failed'

/** How bytes fail to be an envelope. */
export type SchemaReason =
  | 'body_too_large'
  | 'not_json'
  | 'not_an_object'
  | 'missing_fields'
  | 'unknown_fields'
  | 'type_error'
  | 'number_not_an_integer'
  | 'too_long'
  | 'ttl_too_small'
  | 'result_schema_too_large'

/** How an origin cannot be had. */
export type OriginReason =
  | 'invalid_origin_id'
  | 'unknown_origin'
  | 'origin_file_world_readable'
  | 'origin_file_malformed'
  | 'origin_key_malformed'
