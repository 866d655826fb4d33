import { auditJson, auditText, type Held, parseHeld, verifyAudit } from '@parley/verifier'
import { AgentError } from '../agent-error.js'
import type { LogName } from '../audit/log-names.js'
import { OWN_LANE, readLogLines } from '../audit/read-log.js'
import { type DeskLog, openLogs } from './audit-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'
import { readNamedFile } from './read-input.js'

/** The options of `parley audit verify`. */
export type VerifyAuditOptions = HomeOption & { readonly held: readonly string[]; readonly json?: true }

/**
 * `parley audit verify`: checks the chain of each log, and that it still begins with whatever was signed of it. What was
 * cut from the end of a log, only a checkpoint shows that is kept elsewhere.
 */
export const runAuditVerify = async (
  name: LogName | undefined,
  options: VerifyAuditOptions,
  io: Io,
): Promise<number> => {
  if (name === undefined && options.held.length > 0)
    throw new AgentError('argument_invalid', 'say which log it is that --held was signed of')
  const logs = await openLogs(name, options, io)
  const held = await Promise.all(options.held.map(async (path) => parseHeld(path, await readNamedFile(path))))
  const reports = logs.map((log) => ({ log: log.name, report: reportOf(log, held) }))
  if (options.json === true)
    printJson(
      io,
      reports.map(({ log, report }) => ({ log, ...auditJson(report) })),
    )
  else io.out(reports.map(({ log, report }) => `${log}: ${auditText(report)}`).join(''))
  return worst(reports.map(({ report }) => report.exit_code))
}

const reportOf = ({ name, path, origin, key }: DeskLog, held: readonly Held[]) =>
  verifyAudit({
    lane: OWN_LANE,
    origin,
    key: key.publicKey,
    log: { name, lines: readLogLines(path) },
    held,
  })

// Of several the most fundamental counts.
const worst = (codes: readonly number[]): number => [5, 2, 4].find((code) => codes.includes(code)) ?? 0
