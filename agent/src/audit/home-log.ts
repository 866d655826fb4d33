import { ownLogOrigin, type SigningKey } from '@parley/protocol'
import type { Identity } from '../identity.js'
import { type LogName, logPath } from './log-names.js'

/** One log of a home, and whose it is. */
export type HomeLog = {
  readonly name: LogName
  readonly path: string
  readonly origin: string
  readonly key: SigningKey
}

/** A log of a home. */
export const homeLog = (home: string, { did, key }: Identity, name: LogName): HomeLog => ({
  name,
  path: logPath(home, name),
  origin: ownLogOrigin(did, name),
  key,
})
