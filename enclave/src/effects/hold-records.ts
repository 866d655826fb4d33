import type { EvidencePort, GateRecord } from '@parley/guardian'
import type { AuditLog } from '../audit/audit-log.js'

/**
 * The way of one session's records into the relay's log. What something waits for is durable when this resolves, with
 * all that came before it, in one commit: the start of an effect, a denial, the end of a run. All else is held until
 * then. So an evaluation's end is written at the commit's moment and not at its own, which would tell how long it took.
 * Where a commit fails, what was held is kept for the next one, but for what is in the log all the same; the record that
 * it failed with never was.
 */
export const holdRecords = (audit: Pick<AuditLog, 'append'>): EvidencePort => {
  let held: readonly GateRecord[] = []
  return async (record) => {
    if (!isAwaited(record)) {
      held = [...held, record]
      return
    }
    const earlier = held
    held = []
    const written = await Promise.allSettled([...earlier, record].map((each) => audit.append(each)))
    held = [...earlier.filter((_, at) => written[at]?.status === 'rejected'), ...held]
    for (const each of written) if (each.status === 'rejected') throw each.reason
  }
}

const isAwaited = ({ event }: GateRecord): boolean =>
  event === 'effect.started' ||
  event === 'effect.denied' ||
  event === 'run.completed' ||
  event === 'run.failed' ||
  event === 'run.cancelled'
