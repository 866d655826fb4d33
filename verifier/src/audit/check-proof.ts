import {
  auditLeaf,
  type CheckpointHead,
  fromHex,
  type Lane,
  ProtocolError,
  rootFromInclusion,
  toHex,
  verifyConsistency,
} from '@parley/protocol'
import type { InclusionClaim } from './held.js'

/**
 * Returns if the leaf is in the tree, and the entry, where it is shown, is the leaf.
 * @throws ProtocolError `tree_malformed`, `encoding_malformed`
 * @see RFC 9162 §2.1.3.2
 */
export const checkInclusion = (lane: Lane, claim: InclusionClaim, head: CheckpointHead): void => {
  const { opening, leaf_index, leaf_hash, path } = claim
  if (opening !== null && (opening.entry.seq !== leaf_index || toHex(auditLeaf(lane, opening)) !== leaf_hash))
    throw new ProtocolError('tree_malformed', 'the entry is not the leaf')
  const leaf = { leafHash: fromHex(leaf_hash, 32), index: leaf_index, size: head.size, path: bytesOf(path) }
  if (toHex(rootFromInclusion(leaf)) !== toHex(head.root))
    throw new ProtocolError('tree_malformed', 'the path does not lead to the root')
}

/**
 * Returns if the second tree begins with the first.
 * @throws ProtocolError `tree_malformed`, `encoding_malformed`
 * @see RFC 9162 §2.1.4.2
 */
export const checkGrowth = (first: CheckpointHead, second: CheckpointHead, path: readonly string[]): void => {
  verifyConsistency({
    firstSize: first.size,
    firstRoot: first.root,
    secondSize: second.size,
    secondRoot: second.root,
    path: bytesOf(path),
  })
}

const bytesOf = (path: readonly string[]): readonly Uint8Array[] => path.map((node) => fromHex(node, 32))
