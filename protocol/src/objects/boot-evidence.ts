import * as v from 'valibot'
import { hash, labelledDigest } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import { decode } from './decode.js'
import { base64urlUpTo } from './formats.js'

const MOST_CERTIFICATES = 4

export const bootEvidence = v.strictObject({
  ak_public: base64urlUpTo(1024),
  ak_certificates: v.pipe(v.array(base64urlUpTo(8192)), v.maxLength(MOST_CERTIFICATES)),
  event_log: base64urlUpTo(65_536),
  quote: base64urlUpTo(1024),
  signature: base64urlUpTo(1024),
})

/** What a TPM attests of the boot beside a report (SPEC §28); each member base64url of its exact bytes. */
export type BootEvidence = v.InferOutput<typeof bootEvidence>

/** What of it stays the same while the machine is up. */
export type BootRecord = Pick<BootEvidence, 'ak_public' | 'ak_certificates' | 'event_log'>

/**
 * Reads boot evidence. Nothing is proven by that.
 * @throws ProtocolError object_malformed
 */
export function parseBootEvidence(value: JsonValue): BootEvidence {
  return decode(bootEvidence, value, 'boot evidence')
}

/** What a quote speaks of: lower-case hex SHA-256 of the report that it accompanies, and the keyset's digest. */
export type QuotedReport = { readonly report_digest: string; readonly keyset_digest: string }

/**
 * The 32 octets that the TPM is asked to attest: the labelled digest of report, keyset and record, so that no octet of
 * any of them can be another's.
 */
export function qualifyingDataOf(lane: Lane, quoted: QuotedReport, record: BootRecord): Uint8Array {
  const { ak_public, ak_certificates, event_log } = record
  const record_digest = hash({ ak_public, ak_certificates: [...ak_certificates], event_log })
  const { report_digest, keyset_digest } = quoted
  return labelledDigest(label(lane, 'boot-quote'), { report_digest, keyset_digest, record_digest })
}
