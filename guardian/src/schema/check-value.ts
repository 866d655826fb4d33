import { canonicalize, isJsonArray, isJsonObject, isWellFormed, type JsonValue } from '@parley/protocol'
import { codePoints } from '../code-points.js'
import { type Refused, refused } from '../refused.js'
import { pointerTo } from './json-pointer.js'
import type { ArrayShape, IntegerShape, ObjectShape, ScalarsShape, Shape, StringShape } from './shape.js'

/** Why a value is not one of those that a schema admits. The union is closed. */
export type ValueCode =
  | 'type_mismatch'
  | 'value_not_listed'
  | 'integer_out_of_range'
  | 'string_length'
  | 'array_length'
  | 'items_not_unique'
  | 'member_missing'
  | 'member_unknown'

/** Whether a value is admitted; the pointer names declared members and positions only, never input. */
export type ValueCheck = { readonly ok: true } | Refused<ValueCode>

const ADMITTED: ValueCheck = { ok: true }

/** Checks a value against a whole shape. */
export const checkValue = (shape: Shape, value: JsonValue, at = ''): ValueCheck => {
  switch (shape.kind) {
    case 'scalars':
      return checkScalar(shape, value, at)
    case 'integer':
      return checkInteger(shape, value, at)
    case 'string':
      return checkString(shape, value, at)
    case 'array':
      return checkArray(shape, value, at)
    case 'object':
      return checkObject(shape, value, at)
  }
}

const checkScalar = ({ scalars }: ScalarsShape, value: JsonValue, at: string): ValueCheck =>
  (typeof value !== 'object' || value === null) && scalars.has(value)
    ? ADMITTED
    : refused('value_not_listed', at)

const checkInteger = ({ lowest, highest }: IntegerShape, value: JsonValue, at: string): ValueCheck => {
  if (typeof value !== 'number' || !Number.isInteger(value)) return refused('type_mismatch', at)
  return lowest <= value && value <= highest ? ADMITTED : refused('integer_out_of_range', at)
}

const checkString = ({ shortest, longest }: StringShape, value: JsonValue, at: string): ValueCheck => {
  if (typeof value !== 'string' || !isWellFormed(value)) return refused('type_mismatch', at)
  // JSON Schema counts code points, of which a text has at least half as many as UTF-16 units.
  const length = value.length > 2 * longest ? Infinity : codePoints(value)
  return shortest <= length && length <= longest ? ADMITTED : refused('string_length', at)
}

const checkArray = (shape: ArrayShape, value: JsonValue, at: string): ValueCheck => {
  if (!isJsonArray(value)) return refused('type_mismatch', at)
  if (value.length < shape.fewest || value.length > shape.most) return refused('array_length', at)
  for (const [index, item] of value.entries()) {
    const check = checkValue(shape.items, item, pointerTo(at, index))
    if (!check.ok) return check
  }
  const distinct = () => new Set(value.map((item) => canonicalize(item))).size
  return shape.unique && distinct() < value.length ? refused('items_not_unique', at) : ADMITTED
}

const checkObject = ({ members }: ObjectShape, value: JsonValue, at: string): ValueCheck => {
  if (!isJsonObject(value)) return refused('type_mismatch', at)
  // The strange name itself is input, so the pointer ends at its object.
  if (Object.keys(value).some((name) => !members.has(name))) return refused('member_unknown', at)
  for (const [name, { shape, required }] of members) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined
    const check =
      member === undefined
        ? checkAbsent(required, pointerTo(at, name))
        : checkValue(shape, member, pointerTo(at, name))
    if (!check.ok) return check
  }
  return ADMITTED
}

const checkAbsent = (required: boolean, at: string): ValueCheck =>
  required ? refused('member_missing', at) : ADMITTED
