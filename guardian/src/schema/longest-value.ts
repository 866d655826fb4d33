import { canonicalBytes } from '@parley/protocol'
import type { FirstRefusal } from '../first-refusal.js'
import type { SchemaCode } from './schema-code.js'
import type { ArrayShape, ObjectShape, Shape } from './shape.js'

/** What fits a response in the largest size class, with its receipt and with base64url around it. */
export const MAX_VALUE_BYTES = 1_048_576

/** A control character is one code point and six bytes: \u001f. */
const MAX_CODE_POINT_BYTES = 6

/**
 * Bytes of canonical JSON that no admitted value exceeds. Some value has exactly so many, save where a string
 * or an array without repetition is in it: there it is an upper bound.
 */
export const longestValue = (shape: Shape, refusals: FirstRefusal<SchemaCode>): number => {
  const bytes = bytesOf(shape, refusals)
  if (bytes > MAX_VALUE_BYTES) refusals.refuse('value_too_large', shape.at)
  return bytes
}

const bytesOf = (shape: Shape, refusals: FirstRefusal<SchemaCode>): number => {
  switch (shape.kind) {
    case 'scalars':
      return longest(shape.scalars)
    case 'integer':
      return longest([shape.lowest, shape.highest])
    case 'string':
      return 2 + MAX_CODE_POINT_BYTES * shape.longest
    case 'array':
      return arrayBytes(shape, refusals)
    case 'object':
      return objectBytes(shape, refusals)
  }
}

const longest = (scalars: Iterable<null | boolean | number | string>): number => {
  let bytes = 0
  for (const scalar of scalars) bytes = Math.max(bytes, canonicalBytes(scalar).length)
  return bytes
}

const arrayBytes = ({ items, most }: ArrayShape, refusals: FirstRefusal<SchemaCode>): number =>
  2 + most * longestValue(items, refusals) + Math.max(0, most - 1)

const objectBytes = ({ members }: ObjectShape, refusals: FirstRefusal<SchemaCode>): number => {
  let bytes = 2 + Math.max(0, members.size - 1)
  for (const [name, { shape }] of members)
    bytes += canonicalBytes(name).length + 1 + longestValue(shape, refusals)
  return bytes
}
