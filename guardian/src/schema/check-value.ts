import { canonicalize, isJsonArray, isJsonObject, isWellFormed, type JsonValue } from '@parley/protocol'
import { codePoints } from '../code-points.js'
import { type Refused, refused } from '../refused.js'
import { pointerTo } from './json-pointer.js'
import { isInLanguage } from './pattern/language.js'
import type {
  ArrayShape,
  IntegerShape,
  Member,
  ObjectShape,
  ScalarsShape,
  Shape,
  StringShape,
  UnionShape,
} from './shape.js'

/** Why a value is not one of those that a schema admits. The union is closed. */
export type ValueCode =
  | 'type_mismatch'
  | 'value_not_listed'
  | 'integer_out_of_range'
  | 'integer_not_multiple'
  | 'string_length'
  | 'string_pattern'
  | 'array_length'
  | 'items_not_unique'
  | 'member_missing'
  | 'member_unknown'
  | 'member_count'
  /** None of the alternatives of its kind admits it. */
  | 'alternative_missing'

/** Whether a value is admitted; the pointer names declared members and positions only, never input. */
export type ValueCheck = { readonly ok: true } | Refused<ValueCode>

const ADMITTED: ValueCheck = { ok: true }

/** Checks a value against a whole shape, in time that is linear in the value for each part of the shape. */
export const checkValue = (shape: Shape, value: JsonValue): ValueCheck =>
  new ValueWalk().check(shape, value, '')

class ValueWalk {
  // Alternatives that differ in their last item only would each walk all items before it, at every level anew.
  #known: Map<UnionShape, Map<JsonValue, ValueCheck>> | null = null

  check(shape: Shape, value: JsonValue, at: string): ValueCheck {
    switch (shape.kind) {
      case 'any':
        return ADMITTED
      case 'scalars':
        return checkScalar(shape, value, at)
      case 'integer':
        return checkInteger(shape, value, at)
      case 'string':
        return checkString(shape, value, at)
      case 'array':
        return this.#checkArray(shape, value, at)
      case 'object':
        return this.#checkObject(shape, value, at)
      case 'union':
        return this.#knownUnion(shape, value, at)
    }
  }

  #checkArray(shape: ArrayShape, value: JsonValue, at: string): ValueCheck {
    if (!isJsonArray(value)) return refused('type_mismatch', at)
    if (value.length < shape.fewest || value.length > shape.most) return refused('array_length', at)
    for (const [index, item] of value.entries()) {
      const check = this.check(shape.prefix[index] ?? shape.items, item, pointerTo(at, index))
      if (!check.ok) return check
    }
    const distinct = () => new Set(value.map((item) => canonicalize(item))).size
    return shape.unique && distinct() < value.length ? refused('items_not_unique', at) : ADMITTED
  }

  #checkObject(shape: ObjectShape, value: JsonValue, at: string): ValueCheck {
    if (!isJsonObject(value)) return refused('type_mismatch', at)
    const names = Object.keys(value)
    // The strange name itself is input, so the pointer ends at its object.
    if (names.some((name) => !shape.members.has(name) && !this.#isAmongOthers(shape, value[name])))
      return refused('member_unknown', at)
    for (const [name, member] of shape.members) {
      const own = Object.hasOwn(value, name) ? value[name] : undefined
      const check = this.#checkMember(member, own, pointerTo(at, name))
      if (!check.ok) return check
    }
    return checkPresence(shape, new Set(names), at)
  }

  #isAmongOthers({ others }: ObjectShape, value: JsonValue | undefined): boolean {
    return others !== null && value !== undefined && this.check(others.shape, value, '').ok
  }

  #checkMember({ shape, required }: Member, value: JsonValue | undefined, at: string): ValueCheck {
    if (value !== undefined) return this.check(shape, value, at)
    return required ? refused('member_missing', at) : ADMITTED
  }

  #knownUnion(shape: UnionShape, value: JsonValue, at: string): ValueCheck {
    if (typeof value !== 'object' || value === null) return this.#checkUnion(shape, value, at)
    this.#known ??= new Map()
    const known = this.#known.get(shape) ?? new Map<JsonValue, ValueCheck>()
    this.#known.set(shape, known)
    const check = known.get(value) ?? this.#checkUnion(shape, value, at)
    known.set(value, check)
    return check
  }

  /** The one alternative of the value's kind says why not, if there is one. */
  #checkUnion({ branches }: UnionShape, value: JsonValue, at: string): ValueCheck {
    let found: ValueCheck | null = null
    for (const branch of branches) {
      const check = this.check(branch, value, at)
      if (check.ok) return check
      if (isOfKind(branch, value)) found = found === null ? check : refused('alternative_missing', at)
    }
    return found ?? refused('type_mismatch', at)
  }
}

const checkScalar = ({ scalars }: ScalarsShape, value: JsonValue, at: string): ValueCheck =>
  (typeof value !== 'object' || value === null) && scalars.has(value)
    ? ADMITTED
    : refused('value_not_listed', at)

const checkInteger = (shape: IntegerShape, value: JsonValue, at: string): ValueCheck => {
  const { lowest, highest, step, whole } = shape
  if (typeof value !== 'number' || (whole && !Number.isInteger(value))) return refused('type_mismatch', at)
  if (value < lowest || value > highest) return refused('integer_out_of_range', at)
  return value % step === 0 ? ADMITTED : refused('integer_not_multiple', at)
}

const checkString = (shape: StringShape, value: JsonValue, at: string): ValueCheck => {
  const { shortest, longest, language } = shape
  if (typeof value !== 'string' || !isWellFormed(value)) return refused('type_mismatch', at)
  // JSON Schema counts code points, of which a text has at least half as many as UTF-16 units.
  const length = value.length > 2 * longest ? Infinity : codePoints(value)
  if (length < shortest || length > longest) return refused('string_length', at)
  return language === null || isInLanguage(language, value) ? ADMITTED : refused('string_pattern', at)
}

const checkPresence = (
  { fewest, most, needs }: ObjectShape,
  names: ReadonlySet<string>,
  at: string,
): ValueCheck => {
  if (names.size < fewest || names.size > most) return refused('member_count', at)
  for (const { name, needed } of needs) {
    const missing = names.has(name) ? needed.find((other) => !names.has(other)) : undefined
    if (missing !== undefined) return refused('member_missing', pointerTo(at, missing))
  }
  return ADMITTED
}

const isOfKind = (shape: Shape, value: JsonValue): boolean => {
  switch (shape.kind) {
    case 'any':
    case 'scalars':
    case 'union':
      return true
    case 'integer':
      return typeof value === 'number'
    case 'string':
      return typeof value === 'string'
    case 'array':
      return isJsonArray(value)
    case 'object':
      return isJsonObject(value)
  }
}
