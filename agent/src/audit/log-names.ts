import { join } from 'node:path'
import { a2aPaths } from '../a2a/a2a-paths.js'

/** The logs of a home: tasks received, tasks sent, and what was done with people's data here. */
export const LOG_NAMES = ['own', 'received', 'sent'] as const

/** One of {@link LOG_NAMES}. */
export type LogName = (typeof LOG_NAMES)[number]

/** Where a home keeps a log. */
export const logPath = (home: string, name: LogName): string => {
  const { receivedLog, sentLog } = a2aPaths(home)
  return { own: join(home, 'own.audit.log'), received: receivedLog, sent: sentLog }[name]
}
