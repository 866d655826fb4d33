import { sha512 } from '#crypto'
import { utf8 } from '../bytes.js'
import { ProtocolError } from '../errors.js'

/** What AgentVault's TEE lane binds into REPORT_DATA, each member as the receipt spells it, empty where it has none. */
export type TeeTranscript = {
  readonly contract_hash: string
  readonly initiator_submission_hash: string
  /** Null for the first version of the transcript, which leaves the model unbound. */
  readonly model_identity_asserted: string | null
  readonly output_hash: string
  readonly prompt_template_hash: string
  readonly receipt_signing_pubkey_hex: string
  readonly responder_submission_hash: string
}

// The text is put together without escapes, so a quote in a value could stand for the end of it.
const UNESCAPED = /^[ !#-[\]-~]*$/

/**
 * REPORT_DATA of a report in AgentVault's TEE lane, 64 bytes: SHA-512 of a text with its members in order and without
 * escapes. It names neither session nor time nor anything that a verifier chose.
 * @throws ProtocolError object_malformed for a value that would need an escape
 */
export const teeTranscriptHash = (transcript: TeeTranscript): Uint8Array => {
  const { model_identity_asserted: model } = transcript
  return sha512(
    utf8(
      `{${[
        member('contract_hash', transcript.contract_hash),
        member('initiator_submission_hash', transcript.initiator_submission_hash),
        ...(model === null ? [] : [member('model_identity_asserted', model)]),
        member('output_hash', transcript.output_hash),
        member('prompt_template_hash', transcript.prompt_template_hash),
        member('receipt_signing_pubkey_hex', transcript.receipt_signing_pubkey_hex),
        member('responder_submission_hash', transcript.responder_submission_hash),
        member('version', model === null ? 'av-tee-transcript-v1' : 'av-tee-transcript-v2'),
      ].join(',')}}`,
    ),
  )
}

const member = (name: string, value: string): string => {
  if (!UNESCAPED.test(value))
    throw new ProtocolError('object_malformed', `transcript: ${name} needs an escape`)
  return `"${name}":"${value}"`
}
