import type { FirstRefusal } from '../first-refusal.js'
import type { SchemaCode } from '../schema/schema-code.js'
import type { ArrayShape, ObjectShape, Shape } from '../schema/shape.js'

/** Counts stay below this; the bound is also what ends every loop here. */
const TOO_MANY = 1n << 4096n

/**
 * How many distinct canonical values a shape admits, exactly. A string that is free within its length is
 * refused, and so is a count of 2^4096 or more; then the figure means nothing.
 */
export const countValues = (shape: Shape, refusals: FirstRefusal<SchemaCode>): bigint => {
  if (refusals.found !== null) return 0n
  const count = countOf(shape, refusals)
  if (count >= TOO_MANY) refusals.refuse('capacity_too_large', shape.at)
  if (count === 0n) refusals.refuse('schema_contradictory', shape.at)
  return count
}

const countOf = (shape: Shape, refusals: FirstRefusal<SchemaCode>): bigint => {
  switch (shape.kind) {
    case 'scalars':
      return BigInt(shape.scalars.size)
    case 'integer':
      return BigInt(shape.highest) - BigInt(shape.lowest) + 1n
    case 'string':
      refusals.refuse('value_unbounded', shape.at)
      return 0n
    case 'array':
      return countArrays(shape, countValues(shape.items, refusals))
    case 'object':
      return countObjects(shape, refusals)
  }
}

/** Sequences of each admitted length: powers, or falling factorials where items may not repeat. */
const countArrays = ({ fewest, most, unique }: ArrayShape, items: bigint): bigint => {
  // The one case that grows by addition only, and so could loop for 2^53 rounds.
  if (items === 1n && !unique) return BigInt(most) - BigInt(fewest) + 1n
  let count = 0n
  let sequences = 1n
  for (let length = 0; length <= most && sequences > 0n; length++) {
    if (sequences >= TOO_MANY) return TOO_MANY
    if (length >= fewest) count += sequences
    sequences *= unique ? items - BigInt(length) : items
  }
  return count
}

/** A member that may be absent has one more state. */
const countObjects = ({ members }: ObjectShape, refusals: FirstRefusal<SchemaCode>): bigint => {
  let count = 1n
  for (const { shape, required } of members.values()) {
    count *= countValues(shape, refusals) + (required ? 0n : 1n)
    if (count >= TOO_MANY) return TOO_MANY
  }
  return count
}
