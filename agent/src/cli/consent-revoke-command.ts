import { issueRevocation } from '@parley/guardian'
import { canonicalize } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { nowSeconds } from '../clock.js'
import { consentsOf, openConsentDesk } from './consent-desk.js'
import type { HomeOption } from './home.js'
import type { Io } from './io.js'
import { writeNewFile } from './write-new-file.js'

export type RevokeOptions = HomeOption & { readonly out?: string }

/** `parley consent revoke`: takes a consent of your own back, for good. */
export const runRevoke = async (jti: string, options: RevokeOptions, io: Io): Promise<number> => {
  const { identity, folder } = await openConsentDesk(options, io)
  const grant = consentsOf(folder, jti).find(({ iss }) => iss === identity.did)
  if (grant === undefined)
    throw new AgentError('argument_invalid', 'that consent is not yours: only who gave it can take it back')
  if (options.out === undefined && grant.aud !== identity.did)
    throw new AgentError(
      'argument_invalid',
      'it is enforced elsewhere, where the revocation is needed: say --out',
    )
  const revocation = issueRevocation(grant, nowSeconds(io.clock), identity.key)
  const revoke = async (): Promise<string> => canonicalize(await folder.revoke(revocation))
  if (options.out === undefined) await revoke()
  else await writeNewFile(options.out, revoke)
  io.out('revoked\n')
  return 0
}
