import { type CheckpointHead, toHex } from '@parley/protocol'

/** A checkpoint whose signature holds, with the entry that is proven to be under it. */
export type Signed = {
  /** Where it comes from. */
  readonly name: string
  /** The signed note. */
  readonly checkpoint: string
  readonly head: CheckpointHead
  readonly leaf: { readonly index: number; readonly hash: string } | null
}

/**
 * Two checkpoints that one log that only grows cannot both have had. Each is signed: together they convict whoever holds
 * the key.
 */
export type Fork = { readonly one: Signed; readonly other: Signed; readonly why: string }

/**
 * The forks among checkpoints: two roots of one size, or two entries in one place. Checkpoints of different sizes with
 * nothing in common contradict each other nowhere that can be seen without the log or a proof between them.
 */
export const findForks = (signed: readonly Signed[]): readonly Fork[] =>
  signed.flatMap((one, at) =>
    signed.slice(at + 1).flatMap((other) => {
      const why = contradiction(one, other)
      return why === null ? [] : [{ one, other, why }]
    }),
  )

const contradiction = (one: Signed, other: Signed): string | null => {
  if (one.head.size === other.head.size && toHex(one.head.root) !== toHex(other.head.root))
    return `two roots over ${one.head.size} entries`
  if (one.leaf === null || one.leaf.index !== other.leaf?.index) return null
  return one.leaf.hash === other.leaf.hash ? null : `two entries in place ${one.leaf.index}`
}
