import { tightenWindow } from '@parley/guardian'
import {
  type Ed25519PublicKey,
  fromBase64url,
  type LedgerEntry,
  ledgerHead,
  parseEd25519PublicKey,
  ProtocolError,
  verifyLedgerEntry,
} from '@parley/protocol'

/** What can be wrong with the entries of one chain. The union is closed. */
export type LedgerFindingCode =
  /** Nothing that is stored says which key its keyset has. */
  | 'key_unknown'
  | 'signature_invalid'
  /** An entry that no relay makes: it charges what it does not add, or goes over its limit. */
  | 'arithmetic_wrong'
  /** Two entries of which the later does not go on from the earlier: spent fell, the limit rose, or a head is another. */
  | 'link_broken'
  /** Two entries in one place, signed under one keyset: that relay was rolled back, or keeps two chains. */
  | 'fork'
  /** Two entries in one place under two keysets: the same, unless the tag was used at two relays. */
  | 'parted'

/** What is wrong, and the entries that show it to anybody: each is signed. */
export type LedgerFinding = { readonly code: LedgerFindingCode; readonly entries: readonly LedgerEntry[] }

/** The receipt key of each keyset, base64url, by the digest of the keyset. */
export type ReceiptKeys = ReadonlyMap<string, string>

/**
 * Everything that is wrong with the entries that are held of one owner, lane and tag. Entries may be missing in between;
 * whatever is held must still fit into one chain.
 * @see SPEC §11
 */
export const ledgerFindings = (
  entries: readonly LedgerEntry[],
  keys: ReceiptKeys,
): readonly LedgerFinding[] => {
  const distinct = [...new Map(entries.map((entry) => [ledgerHead(entry), entry])).values()]
  const genuine = distinct.map((entry) => ({ entry, finding: checkSignature(entry, keys) }))
  // What nobody signed contradicts nothing.
  const signed = genuine.flatMap(({ entry, finding }) => (finding === null ? [entry] : []))
  const chain = firstOfEach(signed)
  return [
    ...genuine.flatMap(({ finding }) => finding ?? []),
    ...signed.flatMap((entry) =>
      isSound(entry) ? [] : [{ code: 'arithmetic_wrong' as const, entries: [entry] }],
    ),
    ...inOnePlace(signed),
    ...chain.flatMap((entry, at) => (at === 0 ? [] : checkStep(chain[at - 1], entry))),
  ]
}

const checkSignature = (entry: LedgerEntry, keys: ReceiptKeys): LedgerFinding | null => {
  const key = keys.get(entry.keyset_digest)
  if (key === undefined) return { code: 'key_unknown', entries: [entry] }
  return isSignedBy(entry, parseEd25519PublicKey(fromBase64url(key, 32)))
    ? null
    : { code: 'signature_invalid', entries: [entry] }
}

const isSignedBy = (entry: LedgerEntry, key: Ed25519PublicKey): boolean => {
  try {
    verifyLedgerEntry({ ...entry }, key)
    return true
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}

const isSound = ({ kind, session_id, ...entry }: LedgerEntry): boolean =>
  entry.before_millibits + entry.charge_millibits === entry.after_millibits &&
  (kind === 'debit'
    ? session_id !== null && entry.previous !== null && entry.after_millibits <= entry.limit_millibits
    : session_id === null && entry.charge_millibits === 0)

/** One entry of each place, in order. */
const firstOfEach = (entries: readonly LedgerEntry[]): readonly LedgerEntry[] => {
  const places = new Map<number, LedgerEntry>()
  for (const entry of entries) if (!places.has(entry.seq)) places.set(entry.seq, entry)
  return [...places.values()].sort((one, other) => one.seq - other.seq)
}

const inOnePlace = (entries: readonly LedgerEntry[]): readonly LedgerFinding[] =>
  entries.flatMap((other, at) => {
    const one = entries.slice(0, at).find((earlier) => isSamePlace(earlier, other))
    return one === undefined ? [] : [{ code: apart(one, other, 'fork'), entries: [one, other] }]
  })

const isSamePlace = (one: LedgerEntry, other: LedgerEntry): boolean =>
  one.seq === other.seq || (one.previous !== null && one.previous === other.previous)

const apart = (one: LedgerEntry, other: LedgerEntry, code: LedgerFindingCode): LedgerFindingCode =>
  one.keyset_digest === other.keyset_digest ? code : 'parted'

const checkStep = (before: LedgerEntry | undefined, after: LedgerEntry): readonly LedgerFinding[] => {
  if (before === undefined || goesOn(before, after)) return []
  return [{ code: apart(before, after, 'link_broken'), entries: [before, after] }]
}

const goesOn = (before: LedgerEntry, after: LedgerEntry): boolean => {
  if (after.limit_millibits > before.limit_millibits || !keepsWindow(before, after)) return false
  if (after.seq > before.seq + 1) return after.before_millibits >= before.after_millibits
  return (
    after.previous === ledgerHead(before) &&
    after.before_millibits === before.after_millibits &&
    (after.kind === 'debit') === (after.keyset_digest === before.keyset_digest)
  )
}

const keepsWindow = ({ window: before }: LedgerEntry, { window: after }: LedgerEntry): boolean =>
  before === undefined || (after !== undefined && tightenWindow(before, after).ok)
