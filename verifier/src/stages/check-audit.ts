import {
  auditLeaf,
  type AuditOpening,
  fromHex,
  hash,
  logOrigin,
  openCheckpoint,
  type Receipt,
  rootFromInclusion,
  toHex,
} from '@parley/protocol'
import { derived, failed, type Finding, notRun, same, stated } from '../finding.js'
import type { ReadBundle, RelayKeys } from './read-bundle.js'

/** Step 7 of SPEC §16: the end of this session stands in the relay's log. */
export const checkAudit = ({ bundle, relay }: ReadBundle): readonly Finding[] => [
  checkEntry(bundle.openings.audit, bundle.receipt),
  derived('audit_path', () => checkPath(bundle.receipt, relay)),
]

const checkEntry = (opening: AuditOpening | null, receipt: Receipt): Finding => {
  if (opening === null) return notRun('audit_entry', 'audit_not_open')
  const { entry } = opening
  if (entry.event !== 'session.ended') return failed('audit_entry', 'audit_mismatch', 'event')
  return stated('audit_entry', [
    same(entry.fields.session_id, receipt.session_id, 'audit_mismatch', 'session_id'),
    same(entry.fields.transcript_hash, receipt.transcript_hash, 'audit_mismatch', 'transcript_hash'),
    same(hash(entry.fields.outcome), hash(receipt.outcome), 'audit_mismatch', 'outcome'),
    { holds: entry.at <= receipt.issued_at, code: 'audit_mismatch', what: 'at' },
    same(toHex(auditLeaf(receipt.lane, opening)), receipt.audit.leaf_hash, 'audit_mismatch', 'leaf_hash'),
  ])
}

const checkPath = ({ audit }: Receipt, { keyset, logKey }: RelayKeys): Finding => {
  const head = openCheckpoint(audit.checkpoint, { origin: logOrigin(keyset.epoch), publicKey: logKey })
  const root = rootFromInclusion({
    leafHash: fromHex(audit.leaf_hash, 32),
    index: audit.leaf_index,
    size: head.size,
    path: audit.path.map((node) => fromHex(node, 32)),
  })
  return stated('audit_path', [same(toHex(root), toHex(head.root), 'audit_mismatch', 'checkpoint')])
}
