import { tightenWindow } from '@parley/guardian'
import {
  type Bundle,
  ledgerHead,
  type LedgerEntry,
  type Receipt,
  verifyLedgerEntry,
  wasEvaluated,
} from '@parley/protocol'
import { isSameKey } from './same-key.js'
import { derived, failed, type Finding, notRun, passed, same, stated, type Statement } from '../finding.js'
import type { ReadBundle, RelayKeys } from './read-bundle.js'

type OpenedLedger = Bundle['openings']['ledger'][number]
type Party = Receipt['participants'][number]

/** The opened ledger entries against the receipt's heads and against arithmetic (SPEC §11). */
export const checkLedger = ({ bundle, relay }: ReadBundle): Finding => {
  const { openings, receipt } = bundle
  const { ledger } = openings
  if (ledger.length === 0) return notRun('ledger', 'ledger_not_open')
  if (!wasEvaluated(receipt.outcome)) return failed('ledger', 'ledger_mismatch', 'nothing was charged')
  if (new Set(ledger.map(({ role }) => role)).size < ledger.length)
    return failed('ledger', 'ledger_mismatch', 'a ledger is opened twice')
  const findings = ledger.map((opened) => derived('ledger', () => checkOpened(opened, receipt, relay)))
  return findings.find(({ result }) => result !== 'passed') ?? passed('ledger')
}

const checkOpened = ({ role, before, after }: OpenedLedger, receipt: Receipt, relay: RelayKeys): Finding => {
  const party = receipt.participants.find((each) => each.role === role)
  if (party === undefined) return failed('ledger', 'ledger_mismatch', `there is no ${role}`)
  for (const entry of [before, after]) if (entry !== null) verifyOwn(entry, relay)
  return stated('ledger', [
    ...(before === null ? [] : ofParty(before, party, party.head_before)),
    ...(after === null ? [] : [...ofParty(after, party, party.head_after), ...arithmetic(after)]),
    ...(after === null ? [] : ofSession(after, party, receipt)),
    ...(before === null || after === null ? [] : step(before, after)),
  ])
}

// An entry of an earlier keyset cannot be verified here; the relay took it over under a head that it signed.
const verifyOwn = (entry: LedgerEntry, { keysetDigest, receiptKey }: RelayKeys): void => {
  if (entry.keyset_digest === keysetDigest) verifyLedgerEntry(entry, receiptKey)
}

const ofParty = (entry: LedgerEntry, { did, role }: Party, head: string | null): readonly Statement[] => [
  same(ledgerHead(entry), head, 'ledger_mismatch', `head of the ${role}`),
  {
    holds: did !== null && isSameKey(entry.owner, did),
    code: 'ledger_mismatch',
    what: `owner of the ${role}`,
  },
]

const arithmetic = (entry: LedgerEntry): readonly Statement[] => [
  same(
    entry.before_millibits + entry.charge_millibits,
    entry.after_millibits,
    'ledger_mismatch',
    'after_millibits',
  ),
  { holds: entry.after_millibits <= entry.limit_millibits, code: 'ledger_mismatch', what: 'limit_millibits' },
  {
    holds: entry.window === undefined || entry.window.spent_millibits <= entry.window.limit_millibits,
    code: 'ledger_mismatch',
    what: 'window',
  },
]

// An evaluated session debits exactly its charge, in the transaction that issued the receipt.
const ofSession = (
  after: LedgerEntry,
  party: Party,
  { session_id, capacity, issued_at }: Receipt,
): readonly Statement[] => [
  same(after.kind, 'debit', 'ledger_mismatch', 'kind'),
  same(after.session_id, session_id, 'ledger_mismatch', 'session_id'),
  same(after.charge_millibits, capacity.charge_millibits, 'ledger_mismatch', 'charge_millibits'),
  same(after.previous, party.head_before, 'ledger_mismatch', 'previous'),
  { holds: after.at <= issued_at, code: 'ledger_mismatch', what: 'at' },
]

const step = (before: LedgerEntry, after: LedgerEntry): readonly Statement[] =>
  ledgerHead(before) === ledgerHead(after)
    ? []
    : [
        same(after.seq, before.seq + 1, 'ledger_mismatch', 'seq'),
        same(after.tag, before.tag, 'ledger_mismatch', 'tag'),
        same(after.before_millibits, before.after_millibits, 'ledger_mismatch', 'before_millibits'),
        {
          holds: after.limit_millibits <= before.limit_millibits,
          code: 'ledger_mismatch',
          what: 'limit_millibits',
        },
        { holds: isTighter(before.window, after.window), code: 'ledger_mismatch', what: 'window' },
      ]

type EntryWindow = LedgerEntry['window']

// Its figures are of the host's clock: they show the owner's wish, and bind nobody who sets the clock.
const isTighter = (before: EntryWindow, after: EntryWindow): boolean =>
  before === undefined || (after !== undefined && tightenWindow(before, after).ok)
