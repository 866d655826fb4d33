import { verifyGrant } from '@parley/guardian'
import { isJsonObject, type JsonValue } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { openConsentDesk } from './consent-desk.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'
import { readJsonFile } from './read-input.js'

/** `parley consent import`: takes a consent that counts here, or the revocation of one. */
export const runImport = async (path: string, options: HomeOption, io: Io): Promise<number> => {
  const value = await readJsonFile(path)
  const { identity, folder } = await openConsentDesk(options, io)
  if (isRevocation(value)) {
    await folder.revoke(value)
    io.out('revoked\n')
    return 0
  }
  const grant = verifyGrant(value)
  if (grant.typ !== 'consent' || grant.aud !== identity.did)
    throw new AgentError('argument_invalid', 'that is no consent for this home')
  await folder.keep(value)
  io.out(`${grant.jti}\n`)
  return 0
}

const isRevocation = (value: JsonValue): boolean => isJsonObject(value) && value['typ'] === 'revocation'
