import { type LedgerEntry, ledgerHead } from '@parley/protocol'
import { printable } from '@parley/verifier/node'
import { nowSeconds } from '../clock.js'
import type { HeldChain } from '../ledger-records.js'
import type { SessionRecord } from '../session-record.js'
import type { HomeOption } from './home.js'
import { type Io, printJson } from './io.js'
import { openLedgers } from './ledger-desk.js'
import { bitsText } from './parse-option.js'

export type ShowLedgerOptions = HomeOption & { readonly json?: true }

const LAST_SESSIONS = 5

/** `parley ledger show`: each secret's budget, as the last entry that this home holds says. */
export const runShowLedger = async (options: ShowLedgerOptions, io: Io): Promise<number> => {
  const { chains } = await openLedgers(options, io)
  const rows = chains.map((chain) => rowOf(chain, nowSeconds(io.clock)))
  if (options.json === true) printJson(io, rows)
  else io.out(rows.map(textOf).join('') || 'no session has had an offer yet\n')
  return 0
}

const rowOf = ({ lane, tag, entries, head: kept, sessions }: HeldChain, now: number) => {
  const last = [...entries].sort((one, other) => other.seq - one.seq)[0] ?? null
  const relays = [...new Set(sessions.map(({ relay }) => relay))]
  return {
    lane,
    tag,
    relays,
    spent_millibits: last?.after_millibits ?? 0,
    // Whether an open session was charged, only its result tells.
    open_millibits: sessions
      .filter((session) => isOpen(session, kept?.session_id ?? null, now))
      .reduce((sum, session) => sum + (chargeOf(session) ?? 0), 0),
    limit_millibits: last?.limit_millibits ?? null,
    window: last?.window ?? null,
    pair: last?.pair ?? null,
    entries: last === null ? 0 : last.seq + 1,
    head: last === null ? null : ledgerHead(last),
    keyset_digest: last?.keyset_digest ?? null,
    last_sessions: sessions.slice(0, LAST_SESSIONS).map((session) => ({
      session_id: session.session_id,
      relay: session.relay,
      role: session.role,
      charge_millibits: chargeOf(session),
      offered_at: session.offer?.created_at ?? null,
    })),
  }
}

const isOpen = ({ session_id, offer }: SessionRecord, charged: string | null, now: number): boolean =>
  offer !== null && offer.expires_at > now && session_id !== charged

const chargeOf = ({ offer, role }: SessionRecord): number | null =>
  offer?.ledger.find((row) => row.role === role)?.charge_millibits ?? null

const textOf = (row: ReturnType<typeof rowOf>): string =>
  [
    `${printable(row.tag)}  ${row.lane}`,
    `  spent    ${bitsText(row.spent_millibits)} of ${row.limit_millibits === null ? 'no limit yet' : bitsText(row.limit_millibits)}`,
    ...(row.open_millibits === 0 ? [] : [`  open     up to ${bitsText(row.open_millibits)}`]),
    ...(row.window === null ? [] : [windowLine(row.window)]),
    ...(row.pair === null ? [] : [pairLine(row.pair)]),
    `  head     ${row.head ?? 'none'}, entry ${row.entries}`,
    ...row.relays.map((relay) => `  relay    ${printable(relay)}`),
    ...row.last_sessions.map(
      ({ session_id, charge_millibits }) =>
        `  session  ${session_id.slice(0, 16)}  ${bitsText(charge_millibits ?? 0)}`,
    ),
    '',
  ].join('\n')

const windowLine = ({
  seconds,
  spent_millibits,
  limit_millibits,
}: NonNullable<LedgerEntry['window']>): string =>
  `  window   ${bitsText(spent_millibits)} of ${bitsText(limit_millibits)} in ${seconds} s at the last entry`

const pairLine = ({ spent_millibits, limit_millibits }: NonNullable<LedgerEntry['pair']>): string => {
  const spent = `  pair     ${bitsText(spent_millibits)} to the last counterparties`
  if (limit_millibits === null) return spent
  const over = spent_millibits > limit_millibits ? ', OVER YOUR' : ', of your'
  return `${spent}${over} ${bitsText(limit_millibits)}`
}
