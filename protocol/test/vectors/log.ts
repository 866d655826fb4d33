import { expect } from 'vitest'
import { fromHex, toHex } from '../../src/bytes.js'
import { parseEd25519PublicKey } from '../../src/ed25519.js'
import { leafHash, rootFromInclusion, verifyConsistency } from '../../src/merkle.js'
import { MerkleTree } from '../../src/merkle-tree.js'
import { openCheckpoint } from '../../src/signed-note.js'
import type { Consumer } from './vector.js'

const merkle: Consumer = ({ text, expected }) => {
  const roots = expected['roots'] as string[]
  const tree = new MerkleTree()
  expect(toHex(tree.root())).toBe(expected['empty_root'])
  const leaves = text('leaves.txt').split('\n').slice(0, roots.length).map((leaf) => leafHash(fromHex(leaf)))
  for (const leaf of leaves) tree.append(leaf)
  for (const [at, root] of roots.entries()) {
    const size = at + 1
    expect(toHex(tree.root(size))).toBe(root)
    for (const [index, leaf] of leaves.slice(0, size).entries()) {
      const path = tree.inclusionPath(index, size)
      expect(toHex(rootFromInclusion({ leafHash: leaf, index, size, path }))).toBe(root)
    }
    for (const [first, firstRoot] of roots.slice(0, size).entries())
      verifyConsistency({
        firstSize: first + 1,
        firstRoot: fromHex(firstRoot),
        secondSize: size,
        secondRoot: fromHex(root),
        path: tree.consistencyPath(first + 1, size),
      })
  }
}

const checkpoint: Consumer = ({ text, expected }) => {
  const publicKey = parseEd25519PublicKey(fromHex(String(expected['public_key'])))
  const { size, root } = openCheckpoint(text('checkpoint.txt'), { origin: String(expected['origin']), publicKey })
  expect([size, toHex(root)]).toEqual([expected['size'], expected['root']])
}

export const logConsumers: Record<string, Consumer> = { merkle, checkpoint }
