import { auditJson, auditText, type Held, parseHeld, verifyAudit } from '@parley/verifier'
import { AgentError } from '../agent-error.js'
import type { HomeLog } from '../audit/home-log.js'
import type { LogName } from '../audit/log-names.js'
import { checkpointPath, readCheckpoint } from '../audit/own-checkpoint.js'
import { OWN_LANE, readLogLines } from '../audit/read-log.js'
import { openLogs } from './audit-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'
import { readNamedFile } from './read-input.js'

/** The options of `parley audit verify`. */
export type VerifyAuditOptions = HomeOption & { readonly held: readonly string[]; readonly json?: true }

/**
 * `parley audit verify`: checks the chain of each log, and that it still begins with whatever was signed of it: the
 * checkpoint beside it, and those that are held. Where somebody put back log and checkpoint together, only one that is kept
 * elsewhere shows it.
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

const reportOf = (log: HomeLog, held: readonly Held[]) => {
  const { name, path, origin, key } = log
  // First the checkpoint: a receiver that runs only adds to what is read after it.
  const kept = readCheckpoint(log)
  const lines = readLogLines(path)
  const own = lines.length + kept.length === 0 ? [] : [parseHeld(checkpointPath(log), kept)]
  const at = { lane: OWN_LANE, origin, key: key.publicKey } as const
  return verifyAudit({ ...at, log: { name, lines }, held: [...own, ...held] })
}

// Of several the most fundamental counts.
const worst = (codes: readonly number[]): number => [5, 2, 4].find((code) => codes.includes(code)) ?? 0
