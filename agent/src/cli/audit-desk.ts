import { type HomeLog, homeLog } from '../audit/home-log.js'
import { LOG_NAMES, type LogName } from '../audit/log-names.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

/** The logs that a command is about: the one that is named, or all. @throws AgentError `state_missing` before `parley init` */
export const openLogs = async (
  name: LogName | undefined,
  options: HomeOption,
  io: Io,
): Promise<readonly HomeLog[]> => {
  const { home, identity } = await openHome(options, io)
  return (name === undefined ? LOG_NAMES : [name]).map((each) => homeLog(home, identity, each))
}
