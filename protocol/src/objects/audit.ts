import * as v from 'valibot'
import { toHex } from '../bytes.js'
import { labelledBytes, labelledDigest } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import { leafHash } from '../merkle.js'
import { auditEntry } from './audit-events.js'
import { decode } from './decode.js'
import { base64url } from './formats.js'

/** One entry of a hash-chained log: control data only, written before the effect (SPEC §13). */
export type AuditEntry = v.InferOutput<typeof auditEntry>

/** What is appended: an event and its fields; the log adds number, time and chain. */
export type AuditEvent = AuditEntry extends infer Each
  ? Each extends AuditEntry
    ? { readonly event: Each['event']; readonly fields: Each['fields'] }
    : never
  : never

/** `previous` of the first entry. */
export const AUDIT_GENESIS = '0'.repeat(64)

/**
 * Reads an audit entry.
 * @throws ProtocolError object_malformed
 */
export function parseAuditEntry(value: JsonValue): AuditEntry {
  return decode(auditEntry, value, 'audit entry')
}

/** Lower-case hex digest of an entry: the `previous` of the next one. */
export function auditEntryHash(lane: Lane, entry: AuditEntry): string {
  return toHex(labelledDigest(label(lane, 'audit-entry'), entry))
}

export const auditOpening = v.strictObject({ entry: auditEntry, salt: base64url(32) })

/** An entry and the salt under which the log's tree holds it. */
export type AuditOpening = v.InferOutput<typeof auditOpening>

/**
 * The RFC 6962 leaf hash of an entry: of a salted one, all that a host that stores the tree learns of it.
 * @param opening `salt` is null in a log whose owner keeps its entries as they are
 */
export function auditLeaf(
  lane: Lane,
  opening: { readonly entry: AuditEntry; readonly salt: string | null },
): Uint8Array {
  const entry_hash = auditEntryHash(lane, opening.entry)
  return leafHash(labelledBytes(label(lane, 'audit-leaf'), { entry_hash, salt: opening.salt }))
}

/** The origin line of a relay's checkpoints. */
export function logOrigin(epoch: string): string {
  return `parley/${epoch}`
}

/** The origin line of the checkpoints of a participant's own log. @param log its name: lower-case letters and digits */
export function ownLogOrigin(did: string, log: string): string {
  return `${did}/${log}`
}
