import * as v from 'valibot'
import { toHex } from '../bytes.js'
import { labelledBytes, labelledDigest } from '../digest.js'
import type { JsonValue } from '../json-value.js'
import { type Lane, label } from '../labels.js'
import { leafHash } from '../merkle.js'
import { decode } from './decode.js'
import { base64url, digest, hex, integer, role, time } from './formats.js'
import { profileName } from './keyset.js'
import { outcome } from './outcome.js'

const head = { version: v.literal('parley-audit-v1'), seq: integer(0), at: time, previous: digest }
const event = <const Name extends string, Fields extends v.ObjectEntries>(named: Name, fields: Fields) =>
  v.strictObject({ ...head, event: v.literal(named), fields: v.strictObject(fields) })

const session_id = hex(32)

// The allow-list: an event or a field that is not here cannot be written.
export const auditEntry = v.variant('event', [
  event('relay.started', { keyset_digest: digest, profile: profileName }),
  event('session.created', { session_id, contract_hash: digest }),
  event('session.offered', { session_id, offer_digest: digest }),
  event('session.consented', { session_id, role }),
  event('input.accepted', { session_id, role, input_commitment: digest }),
  event('session.ended', { session_id, transcript_hash: digest, outcome }),
])

/** One record of the relay's hash-chained log: control data only, written before the effect (SPEC §13). */
export type AuditEntry = v.InferOutput<typeof auditEntry>

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

/** The RFC 6962 leaf hash of a salted entry: what a host that stores the tree learns of it. */
export function auditLeaf(lane: Lane, opening: AuditOpening): Uint8Array {
  const entry_hash = auditEntryHash(lane, opening.entry)
  return leafHash(labelledBytes(label(lane, 'audit-leaf'), { entry_hash, salt: opening.salt }))
}

/** The origin line of a relay's checkpoints. */
export function logOrigin(epoch: string): string {
  return `parley/${epoch}`
}
