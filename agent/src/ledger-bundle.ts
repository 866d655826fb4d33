import {
  type Bundle,
  equalBytes,
  fromBase64url,
  keysetDigest,
  type LedgerEntry,
  ledgerHead,
  parseDid,
  parseEd25519PublicKey,
  verifyReceipt,
  wasEvaluated,
} from '@parley/protocol'
import { AgentError } from './agent-error.js'
import type { ReceiptKeys } from './ledger-findings.js'

/** What a bundle says of one owner's ledger. */
export type BundledEntries = { readonly entries: readonly LedgerEntry[]; readonly keys: ReceiptKeys }

/**
 * The owner's entries in a bundle, held against its receipt, and the receipt key of the keyset in its evidence, which
 * that keyset's digest commits to. Nothing else of the bundle is verified.
 * @returns no entries where the session charged nothing
 * @throws AgentError `ledger_mismatch` where the bundle is of others, or its entries are not those of its receipt
 * @throws ProtocolError `signature_invalid`, `key_refused`
 */
export const bundledEntries = ({ receipt, evidence, openings }: Bundle, owner: string): BundledEntries => {
  const { keyset } = evidence
  if (receipt.relay.keyset_digest !== keysetDigest(keyset))
    throw mismatch('the receipt is of another keyset than the evidence')
  verifyReceipt(receipt, parseEd25519PublicKey(fromBase64url(keyset.receipt_key, 32)))
  const keys = new Map([[keysetDigest(keyset), keyset.receipt_key]])
  const party = receipt.participants.find(({ did }) => did !== null && isSameKey(did, owner))
  if (party === undefined) throw mismatch('the bundle is of a session of others')
  const row = openings.ledger.find(({ role }) => role === party.role)
  if (!wasEvaluated(receipt.outcome)) return { entries: [], keys }
  if (!row?.before || !row.after) throw mismatch('the bundle does not open your own entries')
  const { before, after } = row
  const fits =
    ledgerHead(before) === party.head_before &&
    ledgerHead(after) === party.head_after &&
    after.session_id === receipt.session_id &&
    after.charge_millibits === receipt.capacity.charge_millibits &&
    [before, after].every((entry) => isSameKey(entry.owner, owner))
  if (!fits) throw mismatch('the opened entries are not those of the receipt')
  return { entries: [before, after], keys }
}

const isSameKey = (one: string, other: string): boolean =>
  equalBytes(parseDid(one).publicKey, parseDid(other).publicKey)

const mismatch = (what: string): AgentError => new AgentError('ledger_mismatch', `ledger: ${what}`)
