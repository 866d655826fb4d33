/** Every way in which bytes or objects of the protocol can be wrong. The union is closed. */
export type ProtocolErrorCode =
  | 'json_malformed'
  | 'json_not_canonical'
  | 'json_too_deep'
  | 'encoding_malformed'
  | 'object_malformed'
  | 'key_refused'
  | 'signature_invalid'
  | 'did_malformed'
  | 'tree_malformed'
  | 'note_malformed'
  | 'hpke_failed'
  | 'ohttp_malformed'
  | 'ohttp_key_unknown'
  | 'bhttp_malformed'
  | 'http_signature_malformed'
  | 'http_signature_invalid'
  | 'too_large'

/** Thrown by every parser and verifier of this package. The message never holds input bytes. */
export class ProtocolError extends Error {
  readonly code: ProtocolErrorCode

  constructor(code: ProtocolErrorCode, message: string) {
    super(message)
    this.name = 'ProtocolError'
    this.code = code
  }
}
