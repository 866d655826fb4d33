import { parseReport } from '@parley/attestation'
import {
  type AgentVaultReceiptV2,
  type Ed25519PublicKey,
  equalBytes,
  fromBase64,
  sha256,
  teeTranscriptHash,
  toHex,
} from '@parley/protocol'
import { derived, failed, type Finding, notRun, same, stated } from '../finding.js'
import type { ForeignReceipt } from './foreign-receipt.js'

/** The transcripts that a receipt may be under: one, or one for each version. */
export type Transcripts = readonly [Uint8Array] | readonly [Uint8Array, Uint8Array]

type Tee = NonNullable<AgentVaultReceiptV2['tee_attestation']>

/** The report of the TEE lane that a receipt carries, and what it says of itself; null where there is none. */
export const teeOf = (read: ForeignReceipt): Tee | null =>
  read.form === '2.1.0' ? (read.receipt.tee_attestation ?? null) : null

/** The receipt against its own transcript and report. Whether a processor signed that report is another check. */
export const checkTee = (read: ForeignReceipt, key: Ed25519PublicKey): readonly Finding[] => {
  if (read.form === '1.0.0') return bothNotRun(read.receipt.attestation ? 'not_appraised_here' : 'no_report')
  const { tee_attestation: tee } = read.receipt
  if (tee === undefined) return bothNotRun('no_report')
  const transcript = transcriptsOf(read.receipt, key)
  return [checkTranscript(tee, transcript), checkReport(tee, transcript)]
}

const bothNotRun = (code: 'no_report' | 'not_appraised_here'): readonly Finding[] => [
  notRun('agentvault_transcript', code),
  notRun('agentvault_report', code),
]

/** The transcript computed from the receipt with the pinned key in it, so that the embedded key has no part in it. */
export const transcriptsOf = (
  { commitments, claims }: AgentVaultReceiptV2,
  key: Ed25519PublicKey,
): (() => Transcripts) => {
  const model = claims.model_identity_asserted
  const members = {
    contract_hash: commitments.contract_hash,
    initiator_submission_hash: commitments.initiator_submission_hash ?? '',
    output_hash: commitments.output_hash,
    prompt_template_hash: commitments.prompt_template_hash ?? '',
    receipt_signing_pubkey_hex: toHex(key),
    responder_submission_hash: commitments.responder_submission_hash ?? '',
  }
  // The first version leaves the model unbound, so it counts only where the receipt asserts none.
  const under = (asserted: string | null): Uint8Array =>
    teeTranscriptHash({ ...members, model_identity_asserted: asserted })
  return () => (model === undefined ? [under(''), under(null)] : [under(model)])
}

const checkTranscript = (tee: Tee, transcripts: () => Transcripts): Finding => {
  const told = [tee.transcript_hash_hex, tee.user_data_hex].filter((each) => each !== undefined)
  if (told.length === 0) return notRun('agentvault_transcript', 'not_named')
  return derived('agentvault_transcript', () => {
    const computed = transcripts().map(toHex)
    return stated(
      'agentvault_transcript',
      told.map((each) => ({
        holds: computed.includes(each),
        code: 'transcript_mismatch',
        what: 'transcript',
      })),
    )
  })
}

const checkReport = (tee: Tee, transcripts: () => Transcripts): Finding => {
  const { quote } = tee
  if (tee.tee_type !== 'SEV-SNP') return notRun('agentvault_report', 'not_appraised_here')
  if (quote === undefined) return failed('agentvault_report', 'tee_mismatch', 'there is no quote')
  return derived('agentvault_report', () => compareReport(tee, fromBase64(quote), transcripts()))
}

const compareReport = (tee: Tee, bytes: Uint8Array, transcripts: Transcripts): Finding => {
  const { report_data, measurement } = parseReport(bytes)
  return stated('agentvault_report', [
    {
      holds: transcripts.some((each) => equalBytes(each, report_data)),
      code: 'report_data_mismatch',
      what: 'REPORT_DATA',
    },
    ...told(tee.measurement, toHex(measurement), 'measurement'),
    ...told(tee.attestation_hash, toHex(sha256(bytes)), 'attestation_hash'),
  ])
}

const told = (value: string | undefined, found: string, what: string) =>
  value === undefined ? [] : [same(value, found, 'tee_mismatch', what)]
