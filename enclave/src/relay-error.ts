/** Every way in which the relay itself fails, at start or while it runs. The union is closed. */
export type RelayErrorCode =
  | 'usage'
  | 'config_malformed'
  | 'environment_refused'
  | 'profile_refused'
  | 'policy_malformed'
  | 'surface_missing'
  | 'collector_required'
  | 'collector_refused'
  /** The launch ends at the firmware, and no TPM attests the rest. */
  | 'attester_required'
  /** A TPM is named, and the policy bundle does not speak of one. */
  | 'attester_refused'
  | 'report_failed'
  | 'report_data_mismatch'
  | 'collateral_missing'
  | 'listen_failed'
  | 'proxy_unreachable'
  | 'key_ids_exhausted'
  | 'store_conflict'
  | 'store_failed'
  /** The policy wants a sealing key of the processor, and there is no way to one. */
  | 'sealing_key_unavailable'
  /** The store holds what the sealing key of this guest does not open. */
  | 'store_sealed_otherwise'
  | 'record_altered'
  | 'evaluator_failed'

/** Thrown inside the relay. The message holds names, numbers and lengths, never bytes of a request. */
export class RelayError extends Error {
  readonly code: RelayErrorCode

  constructor(code: RelayErrorCode, message: string) {
    super(message)
    this.name = 'RelayError'
    this.code = code
  }
}
