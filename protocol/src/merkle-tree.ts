import { sha256 } from '#crypto'
import { ProtocolError } from './errors.js'
import { nodeHash } from './merkle.js'

/**
 * An append-only tree over leaf hashes. It keeps the hash of each complete subtree, so that a root or a
 * path costs a logarithm of hashes at any size.
 * @see RFC 6962 §2.1
 */
export class MerkleTree {
  /** levels[k][i] covers the leaves from i·2^k up to (i+1)·2^k. */
  readonly #levels: Uint8Array[][] = [[]]

  constructor(leafHashes: Iterable<Uint8Array> = []) {
    for (const leaf of leafHashes) this.append(leaf)
  }

  /** Number of leaves. */
  get size(): number {
    return this.#levels[0]?.length ?? 0
  }

  /** The leaf hash of an index. @throws ProtocolError `tree_malformed` on an index outside the tree */
  leaf(index: number): Uint8Array {
    const leaf = this.#levels[0]?.[index]
    if (leaf === undefined) throw new ProtocolError('tree_malformed', 'index is outside the tree')
    return leaf
  }

  /** Appends a leaf hash of 32 bytes and returns its index. */
  append(leafHash: Uint8Array): number {
    if (leafHash.length !== 32) throw new ProtocolError('tree_malformed', 'a leaf hash is not 32 bytes')
    let hash = leafHash
    for (let level = 0; ; level++) {
      const row = (this.#levels[level] ??= [])
      row.push(hash)
      const left = row[row.length - 2]
      if (row.length % 2 === 1 || left === undefined) return this.size - 1
      hash = nodeHash(left, hash)
    }
  }

  /** Takes back all leaves but the first `size`. @throws ProtocolError `tree_malformed` if there are fewer. */
  truncate(size: number): void {
    this.#requireSize(size)
    this.#levels.forEach((row, level) => {
      row.length = Math.floor(size / 2 ** level)
    })
  }

  /** The root over the first `size` leaves (all, if not given); SHA-256 of nothing for an empty tree. */
  root(size: number = this.size): Uint8Array {
    this.#requireSize(size)
    return size === 0 ? sha256(new Uint8Array(0)) : this.#hashOf(0, size)
  }

  /** The audit path of a leaf in the tree of the first `size` leaves, lowest hash first. */
  inclusionPath(index: number, size: number = this.size): Uint8Array[] {
    this.#requireSize(size)
    if (!Number.isSafeInteger(index) || index < 0 || index >= size)
      throw new ProtocolError('tree_malformed', 'index is outside the tree')
    const path: Uint8Array[] = []
    let [start, end] = [0, size]
    while (end - start > 1) {
      const middle = start + largestPowerBelow(end - start)
      path.unshift(index < middle ? this.#hashOf(middle, end) : this.#hashOf(start, middle))
      ;[start, end] = index < middle ? [start, middle] : [middle, end]
    }
    return path
  }

  /** The proof that the tree of `firstSize` leaves is the beginning of the tree of `size` leaves. */
  consistencyPath(firstSize: number, size: number = this.size): Uint8Array[] {
    this.#requireSize(size)
    if (!Number.isSafeInteger(firstSize) || firstSize < 1 || firstSize > size)
      throw new ProtocolError('tree_malformed', 'the first tree is empty or larger than the second')
    const path: Uint8Array[] = []
    let [start, end] = [0, size]
    while (firstSize !== end) {
      const middle = start + largestPowerBelow(end - start)
      path.unshift(firstSize <= middle ? this.#hashOf(middle, end) : this.#hashOf(start, middle))
      ;[start, end] = firstSize <= middle ? [start, middle] : [middle, end]
    }
    // Only where the first tree is not itself a node at the left edge does its last subtree go first.
    if (start > 0) path.unshift(this.#hashOf(start, end))
    return path
  }

  #hashOf(start: number, end: number): Uint8Array {
    const width = end - start
    if (Number.isInteger(Math.log2(width))) {
      const kept = this.#levels[Math.log2(width)]?.[start / width]
      if (kept !== undefined) return kept
    }
    const middle = start + largestPowerBelow(width)
    return nodeHash(this.#hashOf(start, middle), this.#hashOf(middle, end))
  }

  #requireSize(size: number): void {
    if (!Number.isSafeInteger(size) || size < 0 || size > this.size)
      throw new ProtocolError('tree_malformed', 'the tree is not that large')
  }
}

/** RFC 6962's k: the largest power of two smaller than n, for n > 1. */
const largestPowerBelow = (n: number): number => 2 ** (Math.ceil(Math.log2(n)) - 1)

/** The root over leaf hashes of 32 bytes. */
export const treeRoot = (leafHashes: readonly Uint8Array[]): Uint8Array => new MerkleTree(leafHashes).root()

/** The audit path of one leaf. @throws ProtocolError `tree_malformed` on an index outside the tree. */
export const inclusionPath = (leafHashes: readonly Uint8Array[], index: number): Uint8Array[] =>
  new MerkleTree(leafHashes).inclusionPath(index)

/** The path for {@link verifyConsistency}. @throws ProtocolError `tree_malformed` on a size outside. */
export const consistencyPath = (leafHashes: readonly Uint8Array[], firstSize: number): Uint8Array[] =>
  new MerkleTree(leafHashes).consistencyPath(firstSize)
