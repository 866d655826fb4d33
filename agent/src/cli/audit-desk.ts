import { ownLogOrigin, type SigningKey } from '@parley/protocol'
import { LOG_NAMES, type LogName, logPath } from '../audit/log-names.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

/** One log of a home, and whose it is. */
export type DeskLog = {
  readonly name: LogName
  readonly path: string
  readonly origin: string
  readonly key: SigningKey
}

/** The logs that a command is about: the one that is named, or all. @throws AgentError `state_missing` before `parley init` */
export const openLogs = async (
  name: LogName | undefined,
  options: HomeOption,
  io: Io,
): Promise<readonly DeskLog[]> => {
  const { home, identity } = await openHome(options, io)
  return (name === undefined ? LOG_NAMES : [name]).map((each) => ({
    name: each,
    path: logPath(home, each),
    origin: ownLogOrigin(identity.did, each),
    key: identity.key,
  }))
}
