/** Every way in which the participant's side can fail before, or after, a relay's own word. The union is closed. */
export type AgentErrorCode =
  /** No answer, or one that broke off. Whether the relay got the request is unknown. */
  | 'relay_unreachable'
  /** A plain refusal outside the encapsulation: the proxy's or the gateway's, and authenticated by nobody. */
  | 'gateway_refused'
  /** The hint that no relay holds the key that was sealed to. */
  | 'gateway_key_unknown'
  | 'answer_malformed'
  | 'relay_not_trusted'
  | 'relay_changed'
  | 'keyset_expired'
  | 'offer_refused'
  | 'offer_timeout'
  | 'consent_timeout'
  | 'result_timeout'
  | 'result_mismatch'
  | 'ledger_mismatch'
  | 'input_conflict'
  /** The contract does not admit the participant's own input; nothing was consented to or sent. */
  | 'input_refused'
  | 'invitation_refused'
  | 'url_malformed'
  | 'argument_invalid'
  | 'state_missing'
  | 'state_malformed'
  | 'state_exists'
  /** Another process of this home holds a file for longer than a change takes. */
  | 'state_locked'
  | 'file_not_private'
  /** The file system does not let a file be read or written. */
  | 'file_unusable'

/** Thrown by this package for whatever neither a parser nor the relay said. The message never holds plaintext. */
export class AgentError extends Error {
  readonly code: AgentErrorCode

  constructor(code: AgentErrorCode, message: string) {
    super(message)
    this.name = 'AgentError'
    this.code = code
  }
}
