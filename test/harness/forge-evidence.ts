import {
  type Binding,
  type Evidence,
  type Hardware,
  type Keyset,
  keysetDigest,
  keysetLeaf,
  MerkleTree,
  signPossession,
  type SigningKey,
  toHex,
} from '@parley/protocol'
import { fresh } from './relay.js'

/** A tree of one leaf and a random one, signed by a key of the forger's; the report is whatever it could get. */
export const forgeBinding = (
  keyset: Keyset,
  key: SigningKey,
  leaf: Uint8Array,
  hardware: Hardware | null,
): Binding => {
  const tree = new MerkleTree([leaf, fresh(32)])
  const head = { keyset_digest: keysetDigest(keyset), tree_size: 2, root: toHex(tree.root()) }
  return {
    tree_size: 2,
    leaf_index: 0,
    path: tree.inclusionPath(0).map(toHex),
    possession: signPossession(keyset.lane, head, key),
    hardware,
  }
}

/** A document in which all agrees that a forger can make agree: keyset, leaf, tree, possession. */
export const forgeEvidence = (
  keyset: Keyset,
  key: SigningKey,
  nonce: string | null,
  hardware: Hardware | null,
): Evidence => ({
  version: 'parley-evidence-v1',
  keyset,
  nonce,
  binding: forgeBinding(keyset, key, keysetLeaf(keyset, nonce), hardware),
})
