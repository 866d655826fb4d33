import {
  hash,
  type Receipt,
  type ReceiptCore,
  signReceipt,
  type Transcript,
  transcriptHash,
} from '@parley/protocol'
import type { AuditProof } from '../audit/audit-log.js'
import { type Seat, seatOf } from '../session/session.js'
import type { SessionDeps } from '../session/session-deps.js'
import { termsOf } from '../session/terms.js'
import type { Ending } from './transcript.js'

/** Signs what governed a session and what became of it. Every session that ends has a receipt of this one shape. */
export function issueReceipt(
  deps: SessionDeps,
  ending: Ending,
  transcript: Transcript,
  proof: AuditProof,
): Receipt {
  const { keys, clock, attestationHash } = deps
  const { lane } = keys.keyset
  const { agreement } = ending.session
  const { model_returned, provider_evidence } = ending.release.asked
  const { checkpoint, leaf_index, leaf_hash, path } = proof
  const core: ReceiptCore = {
    version: 'parley-receipt-v1',
    lane,
    assurance_level: levelOf(lane, provider_evidence !== null),
    session_id: ending.session.id,
    relay: relayOf(deps),
    ...termsOf(agreement),
    model_asserted: agreement.admitted.model?.profile.model_id ?? null,
    model_returned,
    model_file_hash: agreement.service?.fileHash ?? null,
    provider_evidence: provider_evidence === null ? null : hash(provider_evidence),
    capacity: agreement.admitted.capacity,
    offer_digest: transcript.offer_digest,
    participants: transcript.participants.map((row) => party(seatOf(ending.session, row.role), row)),
    outcome: ending.release.outcome,
    output_commitment: transcript.output_commitment,
    // Findings on the output are told by its opening.
    advisories: agreement.admitted.advisories.map(({ code }) => code),
    audit: { checkpoint, leaf_index, leaf_hash, path: [...path] },
    transcript_hash: transcriptHash(transcript),
    tee: attestationHash === null ? null : teeOf(keys.keyset.receipt_key, attestationHash),
    issued_at: clock.nowSeconds(),
    time_source: 'host',
  }
  return signReceipt(core, keys.receiptKey)
}

/** What the relay itself does not attest is not attested by whom it asks. */
const levelOf = (lane: Receipt['lane'], providerAttested: boolean): Receipt['assurance_level'] => {
  if (lane === 'software') return 'SELF_ASSERTED'
  return providerAttested ? 'PROVIDER_ATTESTED' : 'TEE_ATTESTED'
}

const relayOf = ({ keys }: SessionDeps): Receipt['relay'] => ({
  keyset_digest: keys.keysetDigest,
  epoch: keys.keyset.epoch,
  ...keys.keyset.release,
})

const teeOf = (receipt_key: string, attestation_hash: string): Receipt['tee'] => ({
  platform: 'sev-snp',
  attestation_hash,
  receipt_key,
})

const party = (
  { role, participantId, did, claim, submission }: Seat,
  { head_before, head_after, narrowed_commitment }: Transcript['participants'][number],
): Receipt['participants'][number] => ({
  role,
  participant_id: participantId,
  // Whoever was only invited took no part.
  did: claim === null ? null : did,
  input_commitment: submission?.commitment ?? null,
  head_before,
  head_after,
  narrowed_commitment,
})
