import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../src/bytes.js'
import { sha256 } from '../src/digest.js'
import { leafHash, nodeHash, rootFromInclusion, verifyConsistency } from '../src/merkle.js'
import { consistencyPath, inclusionPath, MerkleTree, treeRoot } from '../src/merkle-tree.js'
import { codeOf } from './code-of.js'

const leavesOf = (size: number) =>
  Array.from({ length: size }, (_, i) => leafHash(Uint8Array.of(i & 255, (i >> 8) & 255, i >> 16)))

/** RFC 6962 §2.1 as it is written there. */
const treeHash = (leaves: readonly Uint8Array[]): Uint8Array => {
  const [first = sha256(new Uint8Array(0)), ...others] = leaves
  if (others.length === 0) return first
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return nodeHash(treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

describe('MerkleTree', () => {
  it('has the root that RFC 6962 defines, at its own size and every smaller one', () => {
    const leaves = leavesOf(40)
    const tree = new MerkleTree(leaves)
    for (let size = 0; size <= leaves.length; size++) {
      expect(toHex(tree.root(size))).toBe(toHex(treeHash(leaves.slice(0, size))))
      expect(toHex(treeRoot(leaves.slice(0, size)))).toBe(toHex(tree.root(size)))
    }
  })

  it('is after taking leaves back what it was before they came', () => {
    const leaves = leavesOf(40)
    for (let size = 0; size <= leaves.length; size++) {
      const tree = new MerkleTree(leaves)
      tree.truncate(size)
      expect(tree.size).toBe(size)
      expect(tree.root()).toEqual(treeHash(leaves.slice(0, size)))
      for (const leaf of leaves.slice(size)) tree.append(leaf)
      expect(tree.root()).toEqual(treeHash(leaves))
    }
  })

  it.each([41, -1, 1.5])('of 40 leaves is not cut to %d', (size) => {
    const tree = new MerkleTree(leavesOf(40))
    expect(
      codeOf(() => {
        tree.truncate(size)
      }),
    ).toBe('tree_malformed')
    expect(tree.size).toBe(40)
  })

  it('gives the same paths while it grows as a tree that is made at once', () => {
    const sizes = fc
      .integer({ min: 1, max: 100 })
      .chain((size) => fc.tuple(fc.nat(size - 1), fc.constant(size)))
    const leaves = leavesOf(100)
    const tree = new MerkleTree(leaves)
    fc.assert(
      fc.property(sizes, ([index, size]) => {
        expect(tree.inclusionPath(index, size)).toEqual(inclusionPath(leaves.slice(0, size), index))
        expect(tree.consistencyPath(index + 1, size)).toEqual(
          consistencyPath(leaves.slice(0, size), index + 1),
        )
      }),
    )
  })

  it('append returns the index of the leaf', () => {
    const tree = new MerkleTree()
    expect(leavesOf(3).map((leaf) => tree.append(leaf))).toEqual([0, 1, 2])
    expect(tree.size).toBe(3)
  })

  it('proves leaves and growth at 100,000 leaves', () => {
    const leaves = leavesOf(100_000)
    const tree = new MerkleTree(leaves)
    const root = tree.root()
    for (const index of [0, 1, 65_535, 65_536, 99_999]) {
      const path = tree.inclusionPath(index)
      const [leaf = new Uint8Array(0)] = leaves.slice(index)
      expect(toHex(rootFromInclusion({ leafHash: leaf, index, size: tree.size, path }))).toBe(toHex(root))
    }
    for (const firstSize of [1, 65_536, 77_777])
      verifyConsistency({
        firstSize,
        firstRoot: tree.root(firstSize),
        secondSize: tree.size,
        secondRoot: root,
        path: tree.consistencyPath(firstSize),
      })
  })

  const tree = new MerkleTree(leavesOf(5))
  it.each([
    ['a leaf hash of another size', () => tree.append(new Uint8Array(31))],
    ['a root beyond the tree', () => tree.root(6)],
    ['a negative size', () => tree.root(-1)],
    ['an index at the size', () => tree.inclusionPath(5)],
    ['an index at a smaller size', () => tree.inclusionPath(3, 3)],
    ['a path in a tree beyond', () => tree.inclusionPath(0, 6)],
    ['a path in no tree', () => tree.inclusionPath(0, 0)],
    ['growth from nothing', () => tree.consistencyPath(0)],
    ['growth backwards', () => tree.consistencyPath(4, 3)],
    ['a fraction', () => tree.inclusionPath(0.5)],
  ])('%s is refused as tree_malformed', (_, call) => {
    expect(codeOf(call)).toBe('tree_malformed')
    expect(tree.size).toBe(5)
  })
})
