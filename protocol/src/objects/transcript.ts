import * as v from 'valibot'
import { toHex } from '../bytes.js'
import { labelledDigest } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { label } from '../labels.js'
import { decode } from './decode.js'
import { base64url, digest, hex, lane } from './formats.js'
import { outcome } from './outcome.js'
import { role, rows } from './role.js'

const row = v.strictObject({
  role,
  consent: v.nullable(base64url(64)),
  encapsulation: v.nullable(digest),
  head_before: v.nullable(digest),
  head_after: v.nullable(digest),
  narrowed_commitment: v.nullable(digest),
})

export const transcript = v.strictObject({
  version: v.literal('parley-transcript-v1'),
  lane,
  session_id: hex(32),
  offer_digest: v.nullable(digest),
  participants: rows(row),
  output_commitment: digest,
  outcome,
})

/** What happened in a session, in digests: consents, the encapsulations that carried the inputs, ledger heads, outcome (SPEC §12). */
export type Transcript = v.InferOutput<typeof transcript>

/**
 * Reads a transcript.
 * @throws ProtocolError object_malformed
 */
export function parseTranscript(value: JsonValue): Transcript {
  return decode(transcript, value, 'transcript')
}

/** Lower-case hex digest of a transcript. */
export function transcriptHash(read: Transcript): string {
  return toHex(labelledDigest(label(read.lane, 'transcript'), read))
}
