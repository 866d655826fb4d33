import { eraseRecord, isErased, parseAuditRecord } from '@parley/guardian'
import {
  AUDIT_GENESIS,
  type AuditEvent,
  auditEntryHash,
  auditLeaf,
  canonicalBytes,
  fromHex,
  fromUtf8,
  type Lane,
  parseAuditEntry,
  toBase64url,
} from '@parley/protocol'
import type { Write } from '../store/store.js'

const DIGEST_BYTES = 32

/** The write by which an entry gives way to what is left of it: its hash and its leaf, without what it said and its salt. */
export const erasingWrite = (lane: Lane, log: string, index: number, entry: Uint8Array): Write => {
  const { entry_hash, leaf_hash } = eraseRecord(lane, parseAuditRecord(fromUtf8(entry)))
  const value = canonicalBytes({ entry_hash, leaf_hash })
  return { kind: 'replace', log, index, value, shown: fromHex(leaf_hash, DIGEST_BYTES) }
}

/** What a log of an earlier epoch is told after its last entry; no key is left to sign a checkpoint over it. */
export type LateEntry = {
  readonly lane: Lane
  readonly log: string
  readonly entries: readonly Uint8Array[]
  readonly event: AuditEvent
  /** Unix seconds. */
  readonly at: number
  /** 32 fresh octets. */
  readonly salt: Uint8Array
}

/** The write of such an entry. */
export const lateWrite = ({ lane, log, entries, event, at, salt }: LateEntry): Write => {
  const index = entries.length
  const previous = hashOf(lane, entries.at(-1))
  const entry = parseAuditEntry({ version: 'parley-audit-v1', seq: index, at, previous, ...event })
  const opening = { entry, salt: toBase64url(salt) }
  return { kind: 'append', log, index, value: canonicalBytes(opening), shown: auditLeaf(lane, opening) }
}

const hashOf = (lane: Lane, last: Uint8Array | undefined): string => {
  if (last === undefined) return AUDIT_GENESIS
  const record = parseAuditRecord(fromUtf8(last))
  return isErased(record) ? record.entry_hash : auditEntryHash(lane, record.entry)
}
