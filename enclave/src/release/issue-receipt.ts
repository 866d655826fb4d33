import {
  type Receipt,
  type ReceiptCore,
  signReceipt,
  type Transcript,
  transcriptHash,
} from '@parley/protocol'
import type { AuditProof } from '../audit/audit-log.js'
import type { Seat } from '../session/session.js'
import type { SessionDeps } from '../session/session-deps.js'
import { termsOf } from '../session/terms.js'
import { type Charged, type Ending, headsOf } from './transcript.js'

/** Signs what governed a session and what became of it. Every session that ends has a receipt of this one shape. */
export function issueReceipt(
  deps: SessionDeps,
  ending: Ending,
  transcript: Transcript,
  proof: AuditProof,
): Receipt {
  const { keys, clock, attestationHash } = deps
  const { lane } = keys.keyset
  const { agreement, seats } = ending.session
  const { checkpoint, leaf_index, leaf_hash, path } = proof
  const core: ReceiptCore = {
    version: 'parley-receipt-v1',
    lane,
    assurance_level: lane === 'software' ? 'SELF_ASSERTED' : 'TEE_ATTESTED',
    session_id: ending.session.id,
    relay: relayOf(deps),
    ...termsOf(agreement),
    model_asserted: null,
    model_returned: null,
    capacity: agreement.admitted.capacity,
    offer_digest: transcript.offer_digest,
    participants: [party(seats[0], ending.charged[0]), party(seats[1], ending.charged[1])],
    outcome: ending.release.outcome,
    output_commitment: transcript.output_commitment,
    // Findings on the draft itself depend on the inputs and are not told.
    advisories: agreement.admitted.advisories.map(({ code }) => code),
    audit: { checkpoint, leaf_index, leaf_hash, path: [...path] },
    transcript_hash: transcriptHash(transcript),
    tee: attestationHash === null ? null : teeOf(keys.keyset.receipt_key, attestationHash),
    issued_at: clock.nowSeconds(),
    time_source: 'host',
  }
  return signReceipt(core, keys.receiptKey)
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
  charged: Charged,
): Receipt['participants'][0] => ({
  role,
  participant_id: participantId,
  // Whoever was only invited took no part.
  did: claim === null ? null : did,
  input_commitment: submission?.commitment ?? null,
  ...headsOf(charged),
})
