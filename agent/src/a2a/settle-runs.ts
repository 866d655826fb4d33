import {
  type AuditRecord,
  type EvidencePort,
  type GateRecord,
  isErased,
  LiveEvents,
  Run,
} from '@parley/guardian'
import type { AuditEntry } from '@parley/protocol'

const ENDS: readonly string[] = [
  'run.completed',
  'run.failed',
  'run.cancelled',
] satisfies GateRecord['event'][]

/**
 * Ends the runs that a killed receiver left open: an effect that had begun has failed as `interrupted`, since nobody knows
 * how far it came, and one that waited for an approval is cancelled, since nobody waits for its answer.
 * @param records all of the log, in order
 */
export const settleRuns = async (records: readonly AuditRecord[], evidence: EvidencePort): Promise<void> => {
  const runs = new Map<string, GateRecord[]>()
  for (const record of records.flatMap(gateRecordsIn)) {
    const { run_id } = record.fields
    if (ENDS.includes(record.event)) runs.delete(run_id)
    else runs.set(run_id, [...(runs.get(run_id) ?? []), record])
  }
  for (const [id, open] of runs) {
    const run = await Run.resume({ id, identify: () => undefined, evidence, live: new LiveEvents() }, open)
    await run.end('cancelled')
  }
}

const gateRecordsIn = (record: AuditRecord): readonly GateRecord[] =>
  isErased(record) ? [] : gateRecordOf(record.entry)

const gateRecordOf = ({ event, fields }: AuditEntry): readonly GateRecord[] => {
  if (
    event === 'run.started' ||
    event === 'run.completed' ||
    event === 'run.failed' ||
    event === 'run.cancelled'
  )
    return [{ event, fields }]
  if (
    event === 'effect.requested' ||
    event === 'effect.denied' ||
    event === 'effect.approval_required' ||
    event === 'effect.approved' ||
    event === 'effect.started' ||
    event === 'effect.completed' ||
    event === 'effect.failed' ||
    event === 'effect.cancelled' ||
    event === 'effect.expired'
  )
    // Why an effect ended is of no account here: of those that have, nothing more comes.
    return [{ event, fields: { ...fields, reason: null } }]
  return []
}
