import { MOST_WINDOW_SECONDS, type RecentCharge, rememberCharge, type SpendingWindow } from '@parley/guardian'
import { type LedgerClaim, type LedgerEntry, ledgerHead, verifyLedgerEntry } from '@parley/protocol'
import * as v from 'valibot'
import type { RelayKeys } from '../keys/relay-keys.js'
import { fromPaddedJson, toPaddedJson } from '../release/padded-json.js'
import { participantKey } from '../session/participant-key.js'
import type { Store, Write } from '../store/store.js'

/** Whose budget for which secret. The key counts, not the DID: one key can be written under many names. */
export type ChainName = { readonly ownerKey: string; readonly tag: string }

/** Where a chain stands. */
export type ChainTip = {
  /** The DID under which it was started: all its entries name this one. */
  readonly owner: string
  /** Digest of the last entry. */
  readonly head: string
  readonly seq: number
  readonly spent_millibits: number
  readonly limit_millibits: number
  readonly keyset_digest: string
  readonly window: SpendingWindow | null
  /** What was charged of late, oldest first. */
  readonly recent: readonly RecentCharge[]
}

/** The chain that a claim speaks of. */
export function chainName({ owner, tag }: Pick<LedgerClaim, 'owner' | 'tag'>): ChainName {
  return { ownerKey: participantKey(owner), tag }
}

/**
 * Where a chain would stand if this were its last entry.
 * @param recent what was charged of late; where only the entry is known, what it says of its window
 */
export function tipOf(entry: LedgerEntry, recent: readonly RecentCharge[] = recentOf(entry)): ChainTip {
  const { owner, seq, after_millibits, limit_millibits, keyset_digest, window = null } = entry
  return {
    owner,
    head: ledgerHead(entry),
    seq,
    spent_millibits: after_millibits,
    limit_millibits,
    keyset_digest,
    window: window && { seconds: window.seconds, limit_millibits: window.limit_millibits },
    recent,
  }
}

const recentOf = ({ window, at }: LedgerEntry): readonly RecentCharge[] =>
  window === undefined ? [] : [{ at, charge_millibits: window.spent_millibits }]

/** The time of a chain: the host's, but never before its last charge. */
export function chainTime({ recent }: Pick<ChainTip, 'recent'>, now: number): number {
  return Math.max(now, recent.at(-1)?.at ?? 0)
}

/** What was charged of late, with one more charge; as far back as the window reaches that then stands. */
export function recentWith(
  tip: Pick<ChainTip, 'recent'>,
  charge_millibits: number,
  { window, now }: { readonly window: SpendingWindow | null; readonly now: number },
): readonly RecentCharge[] {
  const charge = { at: chainTime(tip, now), charge_millibits }
  return rememberCharge(tip.recent, charge, window?.seconds ?? MOST_WINDOW_SECONDS)
}

// The tag comes last: it is the one part that may hold a slash.
const tipKey = ({ ownerKey, tag }: ChainName): string => `ledger-tip/${ownerKey}/${tag}`
const knownKey = ({ ownerKey, tag }: ChainName, head: string): string =>
  `ledger-known/${ownerKey}/${head}/${tag}`

// Room for the longest DID and tag; a sealed store adds its own few octets and still needs one page.
const TIP_BYTES = 4064
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const tipRecord = v.strictObject({
  owner: v.string(),
  head: v.string(),
  seq: count,
  spent_millibits: count,
  limit_millibits: count,
  keyset_digest: v.string(),
  window: v.nullable(v.strictObject({ seconds: count, limit_millibits: count })),
  recent: v.array(v.strictObject({ at: count, charge_millibits: count })),
  entry: v.custom<LedgerEntryJson>((value) => typeof value === 'object' && value !== null),
})
type LedgerEntryJson = Parameters<typeof verifyLedgerEntry>[0]

/** What the store holds of a chain: the tip, and its entry where this keyset signed it. */
export type StoredTip = { readonly tip: ChainTip; readonly entry: LedgerEntry | null }

/** The tip of a chain; undefined where there is none. */
export function readTip(
  store: Store,
  name: ChainName,
  keys: Pick<RelayKeys, 'keysetDigest' | 'receiptKey'>,
): StoredTip | undefined {
  const bytes = store.get(tipKey(name))
  if (bytes === undefined) return undefined
  const { entry, ...tip } = v.parse(tipRecord, fromPaddedJson(bytes))
  const ours = tip.keyset_digest === keys.keysetDigest
  return { tip, entry: ours ? verifyLedgerEntry(entry, keys.receiptKey.publicKey) : null }
}

/** Whether a chain contains an entry of this digest, or was imported from it. */
export function isKnownHead(store: Store, name: ChainName, head: string): boolean {
  return store.get(knownKey(name, head)) !== undefined
}

/** The writes by which a chain grows by one entry. Fails as a whole if that entry is in it already. */
export function entryWrites(
  name: ChainName,
  entry: LedgerEntry,
  recent: readonly RecentCharge[],
): readonly Write[] {
  const tip = tipOf(entry, recent)
  const known = Uint8Array.of(1)
  const imported: Write[] =
    entry.kind === 'open' && entry.previous !== null
      ? [{ kind: 'put', key: knownKey(name, entry.previous), value: known }]
      : []
  return [
    ...imported,
    { kind: 'put', key: knownKey(name, tip.head), value: known, expect: 'absent' },
    {
      kind: 'put',
      key: tipKey(name),
      value: toPaddedJson({ ...tip, recent: [...recent], entry }, TIP_BYTES),
    },
  ]
}
