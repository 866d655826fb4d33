import { type AuditRecord, isErased, type Severity, severityOf } from '@parley/guardian'
import { type AuditEntry, canonicalize } from '@parley/protocol'
import { printable } from '@parley/verifier/node'
import type { LogName } from '../audit/log-names.js'
import { readLogFile } from '../audit/read-log.js'
import { openLogs } from './audit-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

/** The options of `parley audit tail`. */
export type TailOptions = HomeOption & {
  readonly limit: number
  readonly severity: Severity
  readonly event?: string
  readonly json?: true
}

/** `parley audit tail`: the last entries of the logs, in the order of their time. */
export const runAuditTail = async (
  name: LogName | undefined,
  options: TailOptions,
  io: Io,
): Promise<number> => {
  const logs = await openLogs(name, options, io)
  const rows = logs
    .flatMap(({ name: log, path }) => entriesOf(readLogFile(path).records).map((entry) => ({ log, entry })))
    .filter(({ entry }) => isWanted(entry, options))
    .sort((one, other) => one.entry.at - other.entry.at)
    .slice(-options.limit)
  if (options.json === true) printJson(io, rows)
  else io.out(rows.map(({ log, entry }) => lineOf(log, entry)).join(''))
  return 0
}

const entriesOf = (records: readonly AuditRecord[]): readonly AuditEntry[] =>
  records.flatMap((record) => (isErased(record) ? [] : [record.entry]))

const isWanted = ({ event }: AuditEntry, options: TailOptions): boolean =>
  (options.severity === 'info' || severityOf(event) === options.severity) &&
  (options.event === undefined || event === options.event || event.startsWith(`${options.event}.`))

const lineOf = (log: LogName, { seq, at, event, fields }: AuditEntry): string =>
  `${new Date(at * 1000).toISOString()}  ${log.padEnd(8)}  ${String(seq).padStart(6)}  ${event.padEnd(28)}  ${printable(canonicalize({ ...fields }))}\n`
