import type { ArrayShape } from '../schema/shape.js'
import { bitLength } from './bit-length.js'
import { countDistinct } from './count-distinct.js'
import type { ValueCounter } from './count-values.js'
import { TOO_MANY } from './too-many.js'

/** How many arrays a shape admits: sequences of each length, without repetition where items are unique. */
export const countSequences = (shape: ArrayShape, counter: ValueCounter): bigint => {
  if (shape.most === Infinity) return counter.refuse('value_unbounded', shape.at)
  return shape.unique ? countDistinct(shape, counter) : countFree(shape, counter)
}

const countFree = ({ prefix, items, fewest, most }: ArrayShape, counter: ValueCounter): bigint => {
  let count = 0n
  let sequences = 1n
  for (const [length, item] of prefix.entries()) {
    if (length >= fewest) count += sequences
    sequences *= counter.count(item)
    if (sequences >= TOO_MANY) return TOO_MANY
  }
  if (most === prefix.length) return count + sequences
  const listed = prefix.length
  return count + sequences * powers(counter.count(items), Math.max(0, fewest - listed), most - listed)
}

/** The sum of base^exponent for exponents from one to another, both included. */
const powers = (base: bigint, from: number, to: number): bigint => {
  if (base <= 1n) return base === 0n ? 0n : BigInt(to - from) + 1n
  if ((bitLength(base) - 1) * to > 4096) return TOO_MANY
  return (base ** BigInt(to + 1) - base ** BigInt(from)) / (base - 1n)
}
