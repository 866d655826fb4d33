import { homedir } from 'node:os'
import { join } from 'node:path'
import { createIdentity, type Identity, loadIdentity } from '../identity.js'
import { Participant } from '../participant.js'
import type { Io } from './io.js'

/** The option that every command with an identity has. */
export type HomeOption = { readonly home?: string }

const homeOf = ({ home }: HomeOption, { env }: Io): string =>
  home ?? env['PARLEY_HOME'] ?? join(homedir(), '.parley')

const identityPath = (home: string): string => join(home, 'identity.json')

/** Makes the identity of a home that has none. @throws AgentError `state_exists` */
export const initHome = async (
  options: HomeOption,
  io: Io,
): Promise<{ home: string; identity: Identity }> => {
  const home = homeOf(options, io)
  return { home, identity: await createIdentity(identityPath(home)) }
}

/** A home and whose it is. @throws AgentError `state_missing` before `parley init` */
export const openHome = async (
  options: HomeOption,
  io: Io,
): Promise<{ home: string; identity: Identity }> => {
  const home = homeOf(options, io)
  return { home, identity: await loadIdentity(identityPath(home)) }
}

/** The participant whose home it is. @throws AgentError `state_missing` before `parley init` */
export const participantOf = async (options: HomeOption, io: Io): Promise<Participant> =>
  new Participant({ ...(await openHome(options, io)), clock: io.clock })
