import { type LedgerRecords, readLedgerRecords } from '../ledger-records.js'
import { type HomeOption, openHome } from './home.js'
import type { Io } from './io.js'

/** The ledgers of a home, and whose they are. @throws AgentError `state_missing` before `parley init` */
export const openLedgers = async (
  options: HomeOption,
  io: Io,
): Promise<LedgerRecords & { readonly did: string }> => {
  const { home, identity } = await openHome(options, io)
  return { ...(await readLedgerRecords(home)), did: identity.did }
}
