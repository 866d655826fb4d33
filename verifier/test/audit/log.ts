import { auditRecordLine, isErased, parseAuditRecord, readAuditLog } from '@parley/guardian'
import {
  type AuditEvent,
  auditLeaf,
  logOrigin,
  type MerkleTree,
  parseAuditEntry,
  signCheckpoint,
  toBase64url,
  toHex,
} from '@parley/protocol'
import type { Held } from '../../src/audit/index.js'
import { KEYS } from '../minted-bundle.js'

export const LANE = 'software'
export const ORIGIN = logOrigin('0'.repeat(32))

const event = (name: string): AuditEvent => ({
  event: 'A2A.envelope_sent',
  fields: { task_id: name, endpoint_id: 'bob', ttl_s: 60 },
})

/** A log of one entry a name. */
export const logOf = (names: readonly string[]): readonly string[] => {
  const lines: string[] = []
  for (const name of names) {
    const { next } = readAuditLog(LANE, lines)
    const entry = parseAuditEntry({ version: 'parley-audit-v1', ...next, at: 1, ...event(name) })
    lines.push(auditRecordLine({ entry, salt: toBase64url(new Uint8Array(32).fill(next.seq)) }))
  }
  return lines
}

const treeOf = (lines: readonly string[]): MerkleTree => readAuditLog(LANE, lines).tree

export const checkpointOf = (lines: readonly string[], size = lines.length, key = KEYS.log): string =>
  signCheckpoint({ origin: ORIGIN, size, root: treeOf(lines).root(size) }, key)

const held = (name: string, checkpoint: string, more: Partial<Held> = {}): Held => ({
  name,
  checkpoint,
  inclusion: null,
  earlier: null,
  relay: null,
  ...more,
})

/** A checkpoint that somebody holds. */
export const heldCheckpoint = (name: string, lines: readonly string[], size?: number): Held =>
  held(name, checkpointOf(lines, size))

/** An entry and its proof that somebody holds. */
export const heldEntry = (
  name: string,
  lines: readonly string[],
  index: number,
  size = lines.length,
): Held => {
  const record = parseAuditRecord(lines[index] ?? '')
  if (isErased(record)) throw new Error('erased')
  const inclusion = {
    opening: record,
    leaf_index: index,
    leaf_hash: toHex(auditLeaf(LANE, record)),
    path: treeOf(lines).inclusionPath(index, size).map(toHex),
  }
  return held(name, checkpointOf(lines, size), { inclusion })
}

/** A proof that the log of one size is the beginning of the log of another. */
export const heldGrowth = (name: string, lines: readonly string[], first: number): Held =>
  held(name, checkpointOf(lines), {
    earlier: {
      checkpoint: checkpointOf(lines, first),
      path: treeOf(lines).consistencyPath(first).map(toHex),
    },
  })
