import { randomBytes } from 'node:crypto'
import { type Grant, issueGrant, type UnsignedGrant } from '@parley/guardian'
import { canonicalize, ProtocolError, toBase64url } from '@parley/protocol'
import { AgentError } from '../agent-error.js'
import { nowSeconds } from '../clock.js'
import type { Identity } from '../identity.js'
import { openConsentDesk } from './consent-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'
import { writeNewFile } from './write-new-file.js'

const JTI_BYTES = 16

export type GrantOptions = HomeOption & {
  readonly to: string
  readonly purpose: string
  readonly at?: string
  /** Seconds. */
  readonly ttl: number
  readonly uses: number
  readonly contract?: string
  readonly out?: string
  readonly json?: true
}

/** `parley consent grant`: lets somebody use your data for a purpose, somewhere, for a time, so many times. */
export const runGrant = async (options: GrantOptions, io: Io): Promise<number> => {
  const { identity, folder } = await openConsentDesk(options, io)
  if (options.out === undefined && options.at !== undefined && options.at !== identity.did)
    throw new AgentError('argument_invalid', 'with --at, the one who enforces it needs the file: say --out')
  const grant = issueConsent(options, identity, nowSeconds(io.clock))
  const keep = async (): Promise<string> => canonicalize(await folder.keep(grant))
  if (options.out === undefined) await keep()
  else await writeNewFile(options.out, keep)
  if (options.json === true) printJson(io, grant)
  else io.out(`${grant.jti}\n`)
  return 0
}

const issueConsent = (options: GrantOptions, { did, key }: Identity, now: number): Grant => {
  try {
    return issueGrant(consentTo(options, did, now), key)
  } catch (error) {
    if (error instanceof ProtocolError) throw new AgentError('argument_invalid', error.message)
    throw error
  }
}

const consentTo = (options: GrantOptions, did: string, now: number): UnsignedGrant => ({
  typ: 'consent',
  iss: did,
  sub: options.to,
  aud: options.at ?? did,
  purpose: options.purpose,
  ...(options.contract === undefined ? {} : { contract_hash: options.contract }),
  iat: now,
  exp: now + options.ttl,
  max_uses: options.uses,
  jti: toBase64url(new Uint8Array(randomBytes(JTI_BYTES))),
})
