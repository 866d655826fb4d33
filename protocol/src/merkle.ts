import { sha256 } from '#crypto'
import { concatBytes, equalBytes } from './bytes.js'
import { ProtocolError } from './errors.js'

const LEAF = Uint8Array.of(0x00)
const INNER = Uint8Array.of(0x01)

/** Where a leaf stands in a tree, with the hashes that lead to the root. */
export type InclusionProof = {
  /** SHA-256(0x00 ‖ data), 32 bytes. */
  readonly leafHash: Uint8Array
  /** From 0 to size - 1. */
  readonly index: number
  /** Number of leaves of the tree. */
  readonly size: number
  /** Hashes of 32 bytes, lowest first. */
  readonly path: readonly Uint8Array[]
}

/** A claim that the second tree only appends to the first. */
export type ConsistencyProof = {
  readonly firstSize: number
  readonly firstRoot: Uint8Array
  readonly secondSize: number
  readonly secondRoot: Uint8Array
  readonly path: readonly Uint8Array[]
}

/**
 * SHA-256(0x00 ‖ data): the prefix keeps a leaf from passing as an inner node.
 * @see RFC 6962 §2.1
 */
export const leafHash = (data: Uint8Array): Uint8Array => sha256(concatBytes(LEAF, data))

/**
 * SHA-256(0x01 ‖ left ‖ right).
 * @see RFC 6962 §2.1
 */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array =>
  sha256(concatBytes(INNER, left, right))

/**
 * The root that a leaf and its path lead to; the caller compares it with the root it trusts.
 * @throws ProtocolError `tree_malformed` on an index outside the tree, a path of another length, a hash
 * that is not 32 bytes.
 * @see RFC 9162 §2.1.3.2
 */
export const rootFromInclusion = ({ leafHash: leaf, index, size, path }: InclusionProof): Uint8Array => {
  requireSize(size)
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) throw malformed('index is outside the tree')
  requireHashes([leaf, ...path])
  let hash = leaf
  let node = index
  let last = size - 1
  for (const sibling of path) {
    if (last === 0) throw malformed('path is too long')
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash)
      // At the right edge a node without a sibling rises until it has one.
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  if (last !== 0) throw malformed('path is too short')
  return hash
}

/**
 * Returns if the second tree has the first as its beginning.
 * @throws ProtocolError `tree_malformed` if not, or if the path has another length than the sizes ask for.
 * @see RFC 9162 §2.1.4.2
 */
export const verifyConsistency = (proof: ConsistencyProof): void => {
  const { firstSize, firstRoot, secondSize, secondRoot, path } = proof
  requireSize(secondSize)
  if (!Number.isSafeInteger(firstSize) || firstSize < 1 || firstSize > secondSize)
    throw malformed('the first tree is empty or larger than the second')
  requireHashes([firstRoot, secondRoot, ...path])
  if (firstSize === secondSize) {
    if (path.length > 0) throw malformed('path is too long')
    requireRoot(firstRoot, secondRoot)
  } else climbBoth(proof)
}

const climbBoth = ({ firstSize, firstRoot, secondSize, secondRoot, path }: ConsistencyProof): void => {
  // A first tree of 2^n leaves is itself a node of the second, so the proof leaves it out.
  const [start, ...rest] = isPowerOfTwo(firstSize) ? [firstRoot, ...path] : path
  if (start === undefined) throw malformed('path is too short')
  let node = firstSize - 1
  let last = secondSize - 1
  while (node % 2 === 1) [node, last] = [half(node), half(last)]
  let [first, second] = [start, start]
  for (const sibling of rest) {
    if (last === 0) throw malformed('path is too long')
    if (node % 2 === 1 || node === last) {
      ;[first, second] = [nodeHash(sibling, first), nodeHash(sibling, second)]
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)]
    } else second = nodeHash(second, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  if (last !== 0) throw malformed('path is too short')
  requireRoot(first, firstRoot)
  requireRoot(second, secondRoot)
}

// Division, not a shift: sizes may pass 2^32.
const half = (number: number): number => Math.floor(number / 2)

const isPowerOfTwo = (number: number): boolean => Number.isInteger(Math.log2(number))

const requireSize = (size: number): void => {
  if (!Number.isSafeInteger(size) || size < 1) throw malformed('size is not a positive integer')
}

const requireHashes = (hashes: readonly Uint8Array[]): void => {
  if (hashes.some((hash) => hash.length !== 32)) throw malformed('a hash is not 32 bytes')
}

const requireRoot = (found: Uint8Array, wanted: Uint8Array): void => {
  if (!equalBytes(found, wanted)) throw malformed('the path does not lead to the root')
}

const malformed = (message: string): ProtocolError => new ProtocolError('tree_malformed', message)
