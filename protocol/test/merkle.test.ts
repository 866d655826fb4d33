import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../src/bytes.js'
import { sha256 } from '../src/digest.js'
import { leafHash, nodeHash, rootFromInclusion, verifyConsistency } from '../src/merkle.js'
import { consistencyPath, inclusionPath, treeRoot } from '../src/merkle-tree.js'
import { codeOf } from './code-of.js'

const leavesOf = (size: number) =>
  Array.from({ length: size }, (_, i) => leafHash(Uint8Array.of(i & 255, i >> 8)))
const LEAVES = leavesOf(70)
const inclusionOf = (index: number, size: number) => {
  const leaves = LEAVES.slice(0, size)
  const [leaf = new Uint8Array(0)] = leaves.slice(index)
  return { leafHash: leaf, index, size, path: inclusionPath(leaves, index) }
}
const consistencyOf = (firstSize: number, secondSize: number) => {
  const second = LEAVES.slice(0, secondSize)
  return {
    firstSize,
    firstRoot: treeRoot(second.slice(0, firstSize)),
    secondSize,
    secondRoot: treeRoot(second),
    path: consistencyPath(second, firstSize),
  }
}
const sizes = fc
  .integer({ min: 1, max: 70 })
  .chain((size) => fc.tuple(fc.integer({ min: 1, max: size }), fc.constant(size)))

describe('hashes of a tree', () => {
  it('a leaf is not an inner node', () => {
    const [left, right] = [sha256(Uint8Array.of(1)), sha256(Uint8Array.of(2))]
    expect(toHex(leafHash(Uint8Array.of(...left, ...right)))).not.toBe(toHex(nodeHash(left, right)))
  })
})

describe('rootFromInclusion', () => {
  it('leads every leaf of every tree to its root', () => {
    fc.assert(
      fc.property(sizes, ([at, size]) => {
        expect(toHex(rootFromInclusion(inclusionOf(at - 1, size)))).toBe(
          toHex(treeRoot(LEAVES.slice(0, size))),
        )
      }),
    )
  })

  it('leads nowhere near the root at another index, leaf or hash', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), ([at, size], other) => {
        const proof = inclusionOf(at - 1, size)
        const root = toHex(treeRoot(LEAVES.slice(0, size)))
        const rootOf = (changed: Partial<typeof proof>) => {
          try {
            return toHex(rootFromInclusion({ ...proof, ...changed }))
          } catch {
            return 'refused'
          }
        }
        expect(rootOf({ leafHash: sha256(proof.leafHash) })).not.toBe(root)
        if (other % size !== proof.index) expect(rootOf({ index: other % size })).not.toBe(root)
        if (proof.path.length > 0)
          expect(
            rootOf({ path: proof.path.with(other % proof.path.length, sha256(proof.leafHash)) }),
          ).not.toBe(root)
      }),
    )
  })

  it('a path that is longer or shorter is refused as tree_malformed', () => {
    fc.assert(
      fc.property(sizes, ([at, size]) => {
        const proof = inclusionOf(at - 1, size)
        const extra = sha256(new Uint8Array(0))
        expect(codeOf(() => rootFromInclusion({ ...proof, path: [...proof.path, extra] }))).toBe(
          'tree_malformed',
        )
        if (size > 1)
          expect(codeOf(() => rootFromInclusion({ ...proof, path: proof.path.slice(1) }))).toBe(
            'tree_malformed',
          )
      }),
    )
  })

  it.each([
    ['an index at the size', { index: 5 }],
    ['a negative index', { index: -1 }],
    ['a fraction', { index: 0.5 }],
    ['no tree', { size: 0, index: 0 }],
    ['a size that is no integer', { size: NaN }],
    ['a size beyond the integers', { size: 2 ** 53 }],
    ['a short leaf hash', { leafHash: new Uint8Array(31) }],
    ['a long hash in the path', { path: [new Uint8Array(33), new Uint8Array(32), new Uint8Array(32)] }],
  ])('%s is refused as tree_malformed', (_, changed) => {
    expect(codeOf(() => rootFromInclusion({ ...inclusionOf(1, 5), ...changed }))).toBe('tree_malformed')
  })

  it('counts beyond 32 bits', () => {
    const leaf = sha256(new Uint8Array(1))
    const path = Array.from({ length: 40 }, () => leaf)
    const left = rootFromInclusion({ leafHash: leaf, index: 0, size: 2 ** 40, path })
    const right = rootFromInclusion({ leafHash: leaf, index: 2 ** 32, size: 2 ** 40, path })
    expect(toHex(left)).not.toBe(toHex(right))
    expect(codeOf(() => rootFromInclusion({ leafHash: leaf, index: 0, size: 2 ** 40 + 1, path }))).toBe(
      'tree_malformed',
    )
  })
})

describe('verifyConsistency', () => {
  it('holds between every tree and its beginnings', () => {
    fc.assert(
      fc.property(
        sizes,
        ([first, second]) =>
          codeOf(() => {
            verifyConsistency(consistencyOf(first, second))
          }) === 'accepted',
      ),
    )
  })

  it('fails on any other root, size or path', () => {
    fc.assert(
      fc.property(sizes, ([first, second]) => {
        const proof = consistencyOf(first, second)
        const other = sha256(proof.secondRoot)
        const refused = (changed: Partial<typeof proof>) => {
          expect(
            codeOf(() => {
              verifyConsistency({ ...proof, ...changed })
            }),
          ).toBe('tree_malformed')
        }
        refused({ firstRoot: other })
        refused({ secondRoot: other })
        refused({ path: [...proof.path, other] })
        if (proof.path.length > 0) refused({ path: proof.path.slice(1) })
        if (proof.path.length > 0) refused({ path: proof.path.with(0, other) })
      }),
    )
  })

  it('a forked log is refused', () => {
    const fork = LEAVES.slice(0, 9).with(3, leafHash(Uint8Array.of(99)))
    const proof = { ...consistencyOf(5, 9), secondRoot: treeRoot(fork), path: consistencyPath(fork, 5) }
    expect(
      codeOf(() => {
        verifyConsistency(proof)
      }),
    ).toBe('tree_malformed')
  })

  it.each([
    ['an empty first tree', { firstSize: 0 }],
    ['a first tree larger than the second', { firstSize: 8 }],
    ['a fraction', { firstSize: 2.5 }],
    ['a short root', { firstRoot: new Uint8Array(31) }],
    ['no second tree', { secondSize: 0 }],
  ])('%s is refused as tree_malformed', (_, changed) => {
    expect(
      codeOf(() => {
        verifyConsistency({ ...consistencyOf(3, 7), ...changed })
      }),
    ).toBe('tree_malformed')
  })
})
