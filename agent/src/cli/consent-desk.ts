import { join } from 'node:path'
import type { ConsentGrant } from '@parley/guardian'
import { AgentError } from '../agent-error.js'
import { GrantFolder } from '../grants/grant-folder.js'
import type { Identity } from '../identity.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

/** The grants of a home, and whose home it is. */
export const openConsentDesk = async (
  options: HomeOption,
  io: Io,
): Promise<{ identity: Identity; folder: GrantFolder }> => {
  const { home, identity } = await openHome(options, io)
  return { identity, folder: new GrantFolder(join(home, 'grants'), io.clock) }
}

/** The consents that are held, the oldest first. */
export const heldConsents = (folder: GrantFolder): readonly ConsentGrant[] =>
  folder
    .held()
    .filter((grant): grant is ConsentGrant => grant.typ === 'consent')
    .sort((one, other) => one.iat - other.iat || (one.jti < other.jti ? -1 : 1))

/** The consents of that id; two issuers may have used the same. @throws AgentError `state_missing` where there is none */
export const consentsOf = (folder: GrantFolder, jti: string): readonly ConsentGrant[] => {
  const found = heldConsents(folder).filter((grant) => grant.jti === jti)
  if (found.length > 0) return found
  throw new AgentError('state_missing', 'there is no consent of this id')
}
