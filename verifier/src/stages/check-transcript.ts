import {
  type Bundle,
  hash,
  type Receipt,
  type Transcript,
  transcriptHash,
  wasEvaluated,
} from '@parley/protocol'
import { type Finding, same, stated, type Statement } from '../finding.js'
import type { ReadBundle } from './read-bundle.js'

/** Step 6 of SPEC §16: what the transcript lists is what receipt, offer and consents say. */
export const checkTranscript = ({ bundle }: ReadBundle): readonly Finding[] => {
  const { receipt, transcript } = bundle
  const rows = receipt.participants.flatMap((party, seat) =>
    row(receipt, party, transcript.participants[seat], bundle.consents[seat]?.signature ?? null),
  )
  return [
    stated('transcript', [
      same(transcriptHash(transcript), receipt.transcript_hash, 'transcript_mismatch', 'transcript_hash'),
    ]),
    stated('transcript_members', [...session(receipt, transcript), ...rows, ...inputs(bundle)]),
  ]
}

const session = (receipt: Receipt, transcript: Transcript): readonly Statement[] => [
  same(transcript.lane, receipt.lane, 'lane_mismatch', 'lane'),
  same(transcript.session_id, receipt.session_id, 'transcript_mismatch', 'session_id'),
  same(transcript.offer_digest, receipt.offer_digest, 'transcript_mismatch', 'offer_digest'),
  same(transcript.output_commitment, receipt.output_commitment, 'transcript_mismatch', 'output_commitment'),
  same(hash(transcript.outcome), hash(receipt.outcome), 'outcome_mismatch', 'outcome'),
]

const row = (
  receipt: Receipt,
  party: Receipt['participants'][number],
  said: Transcript['participants'][number] | undefined,
  consent: string | null,
): readonly Statement[] => {
  const of = `of the ${party.role}`
  // A well-formed bundle has a row of each role everywhere.
  if (said === undefined) return [{ holds: false, code: 'transcript_mismatch', what: `row ${of}` }]
  return [
    same(said.consent, consent, 'transcript_mismatch', `consent ${of}`),
    same(said.head_before, party.head_before, 'transcript_mismatch', `head_before ${of}`),
    same(said.head_after, party.head_after, 'transcript_mismatch', `head_after ${of}`),
    same(
      said.narrowed_commitment,
      party.narrowed_commitment,
      'transcript_mismatch',
      `narrowed_commitment ${of}`,
    ),
    same(
      said.encapsulation === null,
      party.input_commitment === null,
      'input_commitment_mismatch',
      `encapsulation ${of}`,
    ),
    heads(receipt, party, of),
  ]
}

// An evaluated session moved all ledgers, whatever came out of it; any other moved none (SPEC §12).
const heads = (
  { outcome }: Receipt,
  { head_before: before, head_after: after }: Receipt['participants'][number],
  of: string,
): Statement => ({
  holds: wasEvaluated(outcome)
    ? before !== null && after !== null && before !== after
    : before === null && after === null,
  code: 'heads_mismatch',
  what: `heads ${of}`,
})

// All inputs together are always evaluated, and one is taken only where all had consented (SPEC §11).
const inputs = ({ receipt, consents }: Bundle): readonly Statement[] => {
  const given = receipt.participants.filter(({ input_commitment }) => input_commitment !== null).length
  const consented = consents.every((consent) => consent !== null)
  return [
    same(
      given === consents.length,
      wasEvaluated(receipt.outcome),
      'input_commitment_mismatch',
      'input_commitment',
    ),
    { holds: given === 0 || consented, code: 'input_commitment_mismatch', what: 'consents' },
  ]
}
