import type { ConsentGrant } from '@parley/guardian'
import { nowSeconds } from '../clock.js'
import type { GrantFolder } from '../grants/grant-folder.js'
import { type GrantState, grantState } from '../grants/grant-state.js'
import { consentsOf, heldConsents, openConsentDesk } from './consent-desk.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'

export type ShowConsentOptions = HomeOption & { readonly json?: true }

type Row = { readonly grant: ConsentGrant; readonly uses: number; readonly state: GrantState }

/** `parley consent show`: the consents of this home, given and received, and what each is worth now. */
export const runShowConsent = async (
  jti: string | undefined,
  options: ShowConsentOptions,
  io: Io,
): Promise<number> => {
  const { folder } = await openConsentDesk(options, io)
  const grants = jti === undefined ? heldConsents(folder) : consentsOf(folder, jti)
  const rows = grants.map((grant) => rowOf(grant, folder, nowSeconds(io.clock)))
  if (options.json === true) printJson(io, rows)
  else io.out(rows.map(textOf).join(''))
  return 0
}

const rowOf = (grant: ConsentGrant, folder: GrantFolder, now: number): Row => {
  const record = folder.recordOf(grant)
  return { grant, uses: record?.uses ?? 0, state: grantState(grant, record, now) }
}

const textOf = ({ grant, uses, state }: Row): string =>
  [
    `${grant.jti}  ${state}`,
    `  purpose  ${grant.purpose}${grant.contract_hash === undefined ? '' : `, contract ${grant.contract_hash}`}`,
    `  from     ${grant.iss}`,
    `  to       ${grant.sub}`,
    `  at       ${grant.aud}`,
    `  uses     ${uses} of ${grant.max_uses}`,
    `  until    ${new Date(grant.exp * 1000).toISOString()}`,
    '',
  ].join('\n')
