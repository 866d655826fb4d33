import {
  sha256,
  teeTranscriptHash,
  toBase64,
  toHex,
  type UnsignedAgentVaultReceiptV2,
  utf8,
} from '@parley/protocol'
import { encodeReport } from '../processor/encode-report.js'
import { KEYS, SECOND } from './session.js'

const zeros = (size: number): Uint8Array => new Uint8Array(size)
const MEASUREMENT = Uint8Array.from({ length: 48 }, (_, at) => at)
const SIGNATURE_BYTES = 512

/** What a receipt of the TEE lane commits to: no preflight bundle, and the hash of what each party sent. */
const { effective_config_hash: _, preflight_bundle: __, ...commitments } = SECOND.commitments
const COMMITMENTS = {
  ...commitments,
  initiator_submission_hash: toHex(sha256(utf8('first ciphertext'))),
  responder_submission_hash: toHex(sha256(utf8('second ciphertext'))),
}

/** The transcript of the TEE session: REPORT_DATA of its report. */
export const TRANSCRIPT = teeTranscriptHash({
  contract_hash: COMMITMENTS.contract_hash,
  initiator_submission_hash: COMMITMENTS.initiator_submission_hash,
  model_identity_asserted: SECOND.claims.model_identity_asserted ?? '',
  output_hash: COMMITMENTS.output_hash,
  prompt_template_hash: COMMITMENTS.prompt_template_hash ?? '',
  receipt_signing_pubkey_hex: toHex(KEYS.relay.publicKey),
  responder_submission_hash: COMMITMENTS.responder_submission_hash,
})

/** A report over some REPORT_DATA that nobody signed: its form is right, and it is genuine nowhere. */
export const unsignedReport = (reportData: Uint8Array): Uint8Array => {
  const body = encodeReport({
    version: 2,
    guestSvn: 0,
    policy: 0x3_0000n,
    familyId: zeros(16),
    imageId: zeros(16),
    vmpl: 0,
    signatureAlgo: 1,
    currentTcb: zeros(8),
    platformInfo: 0n,
    signerInfo: 0,
    reportData,
    measurement: MEASUREMENT,
    hostData: zeros(32),
    idKeyDigest: zeros(48),
    authorKeyDigest: zeros(48),
    reportId: zeros(32),
    reportIdMa: new Uint8Array(32).fill(0xff),
    reportedTcb: zeros(8),
    cpuid: [0, 0, 0],
    chipId: new Uint8Array(64).fill(7),
    committedTcb: zeros(8),
    currentVersion: [1, 55, 1],
    committedVersion: [1, 55, 1],
    launchTcb: zeros(8),
    launchMitVector: 0n,
    currentMitVector: 0n,
  })
  return Uint8Array.from([...body, ...zeros(SIGNATURE_BYTES)])
}

/** The receipt of a TEE session that carries this report. */
export const teeReceipt = (report: Uint8Array): UnsignedAgentVaultReceiptV2 => ({
  ...SECOND,
  session_id: '00000000-0000-4000-8000-000000000002',
  assurance_level: 'TEE_ATTESTED',
  commitments: COMMITMENTS,
  claims: {
    model_identity_asserted: SECOND.claims.model_identity_asserted ?? '',
    status: 'success',
    signal_class: 'SESSION_COMPLETED',
    execution_lane: 'tee',
  },
  tee_attestation: {
    tee_type: 'SEV-SNP',
    measurement: toHex(MEASUREMENT),
    quote: toBase64(report),
    attestation_hash: toHex(sha256(report)),
    receipt_signing_pubkey_hex: toHex(KEYS.relay.publicKey),
    transcript_hash_hex: toHex(TRANSCRIPT),
    user_data_hex: toHex(TRANSCRIPT),
  },
})
