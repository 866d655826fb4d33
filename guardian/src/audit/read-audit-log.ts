import { AUDIT_GENESIS, fromHex, type Lane, MerkleTree, ProtocolError } from '@parley/protocol'
import { type AuditRecord, eraseRecord, isErased, parseAuditRecord } from './audit-record.js'

/** How a log can be wrong in itself. */
export type AuditFaultCode =
  | 'record_malformed'
  /** An entry has another number than its place. */
  | 'sequence_broken'
  /** An entry does not name the one before it. */
  | 'link_broken'
  /** More entries are erased than erasures are recorded. */
  | 'erasure_unrecorded'

/** What is wrong, and at which entry first. */
export type AuditFault = { readonly code: AuditFaultCode; readonly seq: number }

/** A log as far as it holds. */
export type ReadAuditLog = {
  readonly records: readonly AuditRecord[]
  readonly tree: MerkleTree
  /** The number of the next entry and the hash of the last: what the next one must carry. */
  readonly next: { readonly seq: number; readonly previous: string }
  readonly fault: AuditFault | null
}

/**
 * Reads the lines of a log and checks that they are one chain from its beginning. It ends at the first line that does
 * not fit. That nothing is missing at the end, only a checkpoint shows.
 * @see protocol SPEC "Audit log"
 */
export const readAuditLog = (lane: Lane, lines: readonly string[]): ReadAuditLog => {
  const records: AuditRecord[] = []
  const tree = new MerkleTree()
  let previous = AUDIT_GENESIS
  const end = (code: AuditFaultCode | null): ReadAuditLog => {
    const seq = records.length
    return { records, tree, next: { seq, previous }, fault: code === null ? null : { code, seq } }
  }
  for (const line of lines) {
    const record = recordOf(line)
    if (record === null) return end('record_malformed')
    const code = misfit(record, { seq: records.length, previous })
    if (code !== null) return end(code)
    const { entry_hash, leaf_hash } = eraseRecord(lane, record)
    previous = entry_hash
    tree.append(fromHex(leaf_hash, 32))
    records.push(record)
  }
  return end(erasedCount(records) > recordedErasures(records) ? 'erasure_unrecorded' : null)
}

const recordOf = (line: string): AuditRecord | null => {
  try {
    return parseAuditRecord(line)
  } catch (error) {
    if (error instanceof ProtocolError) return null
    throw error
  }
}

const misfit = (record: AuditRecord, due: ReadAuditLog['next']): AuditFaultCode | null => {
  // What an erased entry named is gone; the entry after it pins its hash, and the tree its place.
  if (isErased(record)) return null
  if (record.entry.seq !== due.seq) return 'sequence_broken'
  return record.entry.previous === due.previous ? null : 'link_broken'
}

const erasedCount = (records: readonly AuditRecord[]): number => records.filter(isErased).length

const recordedErasures = (records: readonly AuditRecord[]): number =>
  records.reduce(
    (sum, record) =>
      !isErased(record) && record.entry.event === 'erasure.applied' ? sum + record.entry.fields.records : sum,
    0,
  )
