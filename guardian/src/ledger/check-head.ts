/** A ledger head as its owner carries it. */
export type CarriedHead = { readonly head: string; readonly keyset_digest: string }

/** What a relay knows of one owner and tag: the digests of all entries, oldest first, and its own keyset. */
export type KnownChain = { readonly heads: readonly string[]; readonly keyset_digest: string }

/** How a session goes on from a carried head. */
export type HeadCheck =
  | { readonly ok: true; readonly chain: 'starts' | 'continues' | 'imports' }
  | { readonly ok: false; readonly code: 'ledger_head_unknown' }

/**
 * Whether the relay's chain extends the head that an owner carries. A head that was signed under this keyset,
 * or that stands beside a chain of ours without being in it, shows that the relay was rolled back; then nothing
 * may be spent. A head of another keyset starts a chain where there is none.
 * @param carried null: the owner signed that it holds none, which every chain extends
 * @see protocol SPEC §11
 */
export const checkHead = ({ heads, keyset_digest }: KnownChain, carried: CarriedHead | null): HeadCheck => {
  if (carried === null) return { ok: true, chain: heads.length === 0 ? 'starts' : 'continues' }
  if (heads.includes(carried.head)) return { ok: true, chain: 'continues' }
  if (heads.length === 0 && carried.keyset_digest !== keyset_digest) return { ok: true, chain: 'imports' }
  return { ok: false, code: 'ledger_head_unknown' }
}
