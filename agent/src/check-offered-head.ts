import { type LedgerEntry, ledgerHead, type Offer, verifyEntrySignature } from '@parley/protocol'
import { AgentError } from './agent-error.js'
import type { Session } from './session.js'

/**
 * Checks the entry behind the offer's own head against what the owner holds: its own chain, never shorter and never
 * cheaper than before, with room for the charge. A relay that was rolled back fails here.
 * @throws AgentError `ledger_mismatch`
 * @throws ProtocolError `signature_invalid`
 * @see SPEC §11
 */
export const checkOfferedHead = (
  { file, relay }: Session,
  offer: Offer,
  entry: LedgerEntry | null,
): LedgerEntry => {
  const { role, did, tag, claimed, lane, limit_millibits } = file.record
  const charge = offer.ledger.find((row) => row.role === role)
  if (charge === undefined || entry === null || ledgerHead(entry) !== charge.head)
    throw mismatch('the head is not the one of the entry')
  verifyEntrySignature(entry, relay.keyset.receiptKey)
  if (entry.lane !== lane || entry.owner !== did || entry.tag !== tag)
    throw mismatch('the entry is of another ledger')
  if (entry.keyset_digest !== relay.keyset.keysetDigest) throw mismatch('the entry is of another keyset')
  if (claimed !== null && !continues(entry, claimed))
    throw mismatch('the chain does not continue the one that is held')
  if (entry.after_millibits + charge.charge_millibits > limit_millibits)
    throw mismatch('the charge is over the limit')
  return entry
}

type Claimed = NonNullable<Session['file']['record']['claimed']>

const continues = (entry: LedgerEntry, claimed: Claimed): boolean =>
  ledgerHead(entry) === claimed.head ||
  (entry.seq > claimed.seq &&
    entry.after_millibits >= claimed.after_millibits &&
    entry.limit_millibits <= claimed.limit_millibits)

const mismatch = (what: string): AgentError => new AgentError('ledger_mismatch', `ledger: ${what}`)
