import {
  type Bundle,
  type Ed25519PublicKey,
  type LedgerEntry,
  ledgerHead,
  type Receipt,
  verifyEntrySignature,
} from '@parley/protocol'
import { AgentError } from './agent-error.js'
import type { SessionRecord } from './session-record.js'

/**
 * The owner's new ledger entry after a session that was evaluated: opened to it, signed, one charge after the entry
 * before, which is the one of the offer or a later one of that chain.
 * @throws AgentError `ledger_mismatch`
 * @throws ProtocolError `signature_invalid`
 * @see SPEC §11
 */
export const checkNewHead = (
  record: SessionRecord,
  bundle: Bundle,
  receiptKey: Ed25519PublicKey,
): LedgerEntry => {
  const { before, after } = opened(record, bundle)
  const party = bundle.receipt.participants.find(({ role }) => role === record.role)
  for (const entry of [before, after]) verifyEntrySignature(entry, receiptKey)
  const head = ledgerHead(before)
  if (head !== party?.head_before || ledgerHead(after) !== party.head_after)
    throw mismatch('the opened entries are not those of the receipt')
  const offered = record.ledger_entry
  if (offered === null || (ledgerHead(offered) !== head && !isLater(offered, before)))
    throw mismatch('the chain is not the one of the offer')
  if (after.previous !== head || !isOneCharge(before, after, bundle.receipt))
    throw mismatch('the new entry is not one charge after the one before')
  return after
}

type Step = { readonly before: LedgerEntry; readonly after: LedgerEntry }

const opened = ({ role }: SessionRecord, { openings }: Bundle): Step => {
  const row = openings.ledger.find((each) => each.role === role)
  if (!row?.before || !row.after) throw mismatch('the new entry is not opened to its owner')
  return { before: row.before, after: row.after }
}

// Another session about the same secret may have ended since the offer.
const isLater = (offered: LedgerEntry, before: LedgerEntry): boolean =>
  isOfOneChain(offered, before) &&
  before.seq > offered.seq &&
  before.after_millibits >= offered.after_millibits

const isOneCharge = (before: LedgerEntry, after: LedgerEntry, { session_id, capacity }: Receipt): boolean =>
  isOfOneChain(before, after) &&
  after.kind === 'debit' &&
  after.seq === before.seq + 1 &&
  after.session_id === session_id &&
  after.charge_millibits === capacity.charge_millibits &&
  after.before_millibits === before.after_millibits &&
  after.after_millibits === before.after_millibits + after.charge_millibits &&
  after.limit_millibits <= before.limit_millibits

const isOfOneChain = (one: LedgerEntry, other: LedgerEntry): boolean =>
  one.lane === other.lane &&
  one.keyset_digest === other.keyset_digest &&
  one.owner === other.owner &&
  one.tag === other.tag

const mismatch = (what: string): AgentError => new AgentError('ledger_mismatch', `ledger: ${what}`)
