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
}

/** The chain that a claim speaks of. */
export function chainName({ owner, tag }: Pick<LedgerClaim, 'owner' | 'tag'>): ChainName {
  return { ownerKey: participantKey(owner), tag }
}

/** Where a chain would stand if this were its last entry. */
export function tipOf(entry: LedgerEntry): ChainTip {
  const { owner, seq, after_millibits, limit_millibits, keyset_digest } = entry
  return {
    owner,
    head: ledgerHead(entry),
    seq,
    spent_millibits: after_millibits,
    limit_millibits,
    keyset_digest,
  }
}

// The tag comes last: it is the one part that may hold a slash.
const tipKey = ({ ownerKey, tag }: ChainName): string => `ledger-tip/${ownerKey}/${tag}`
const knownKey = ({ ownerKey, tag }: ChainName, head: string): string =>
  `ledger-known/${ownerKey}/${head}/${tag}`

// Room for the longest DID and tag; a sealed store adds its own few octets and still needs one page.
const TIP_BYTES = 3072
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const tipRecord = v.strictObject({
  owner: v.string(),
  head: v.string(),
  seq: count,
  spent_millibits: count,
  limit_millibits: count,
  keyset_digest: v.string(),
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
export function entryWrites(name: ChainName, entry: LedgerEntry): readonly Write[] {
  const tip = tipOf(entry)
  const known = Uint8Array.of(1)
  const imported: Write[] =
    entry.kind === 'open' && entry.previous !== null
      ? [{ kind: 'put', key: knownKey(name, entry.previous), value: known }]
      : []
  return [
    ...imported,
    { kind: 'put', key: knownKey(name, tip.head), value: known, expect: 'absent' },
    { kind: 'put', key: tipKey(name), value: toPaddedJson({ ...tip, entry }, TIP_BYTES) },
  ]
}
