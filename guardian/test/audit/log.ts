import { type AuditEvent, toBase64url, toHex } from '@parley/protocol'
import { auditRecordLine, eraseRecord, parseAuditRecord, readAuditLog } from '../../src/audit/index.js'

export const LANE = 'software'

/** Lines of a log that holds the events; each with a salt, unless `salted` says no. */
export const logOf = (events: readonly AuditEvent[], salted = true): readonly string[] => {
  const lines: string[] = []
  for (const event of events) {
    const { next } = readAuditLog(LANE, lines)
    const entry = { version: 'parley-audit-v1', ...next, at: 1_790_000_000 + next.seq, ...event } as const
    const salt = toBase64url(new Uint8Array(32).fill(next.seq + 1))
    lines.push(auditRecordLine({ entry, salt: salted ? salt : null }))
  }
  return lines
}

export const sent = (task_id: string): AuditEvent => ({
  event: 'A2A.envelope_sent',
  fields: { task_id, endpoint_id: 'bob', ttl_s: 60 },
})

export const erased = (records: number): AuditEvent => ({
  event: 'erasure.applied',
  fields: { subject: toHex(new Uint8Array(32).fill(7)), records, files: 0 },
})

/** The lines with one of them erased. */
export const without = (lines: readonly string[], seq: number): readonly string[] =>
  lines.map((line, at) => (at === seq ? auditRecordLine(eraseRecord(LANE, parseAuditRecord(line))) : line))
