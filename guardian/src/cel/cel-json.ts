import { isJsonArray, type JsonValue, MAX_JSON_DEPTH } from '@parley/protocol'
import { type CelValue, isKind } from './cel-value.js'
import { EXHAUSTED, FAILED, Fault } from './fault.js'
import type { Meter } from './meter.js'

/**
 * An input as a program sees it. Numbers that are not integers in ±(2^53−1) are errors; members stand in
 * canonical order, so that the order in which a participant wrote them tells a program nothing.
 * Pays for each node, each text, and for sorting the members.
 */
export const fromJson = (json: JsonValue, meter: Meter, depth = 0): CelValue | Fault => {
  if (!meter.spend(1 + textLength(json))) return EXHAUSTED
  if (typeof json === 'number') return Number.isSafeInteger(json) ? BigInt(json) : FAILED
  if (typeof json !== 'object' || json === null) return json
  if (depth === MAX_JSON_DEPTH) return FAILED
  const convert = (value: JsonValue) => fromJson(value, meter, depth + 1)
  if (isJsonArray(json)) return convertAll(json, convert)
  const members = Object.entries(json)
  if (!paidMembers(members, meter)) return EXHAUSTED
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return convertMembers(members, convert, (converted) => new Map(converted))
}

/**
 * A result as JSON. An integer outside ±(2^53−1) is an error: it would be another number in the reader's JSON.
 * Pays as an input does, also for a node that stands in many places of the result: whoever checks and writes the
 * result reads it in each of them.
 */
export const toJson = (value: CelValue, meter: Meter, depth = 0): JsonValue | Fault => {
  if (!meter.spend(1 + textLength(value))) return EXHAUSTED
  if (isKind(value, 'int')) return Number.isSafeInteger(Number(value)) ? Number(value) : FAILED
  if (!isKind(value, 'list') && !isKind(value, 'map')) return value
  if (depth === MAX_JSON_DEPTH) return FAILED
  const convert = (item: CelValue) => toJson(item, meter, depth + 1)
  if (isKind(value, 'list')) return convertAll(value, convert)
  if (!paidMembers([...value], meter)) return EXHAUSTED
  // fromEntries defines own members, so `__proto__` is a name like any other.
  return convertMembers(value, convert, (converted) => Object.fromEntries(converted))
}

const textLength = (value: unknown): number => (typeof value === 'string' ? value.length : 0)

/** Each member is read once and compared ⌈log2 n⌉ times, in the worst case as far as its name goes. */
const paidMembers = (members: readonly (readonly [string, unknown])[], meter: Meter): boolean => {
  // In integers: a logarithm that one engine rounds otherwise would be another cost. 32 − clz32(n − 1) is ⌈log2 n⌉.
  const rounds = members.length === 0 ? 0 : 33 - Math.clz32(members.length - 1)
  return members.every(([name]) => meter.spend((1 + name.length) * rounds))
}

const convertAll = <A, B>(items: readonly A[], convert: (item: A) => B | Fault): B[] | Fault => {
  const converted: B[] = []
  for (const item of items) {
    const value = convert(item)
    if (value instanceof Fault) return value
    converted.push(value)
  }
  return converted
}

const convertMembers = <A, B, C>(
  members: Iterable<readonly [string, A]>,
  convert: (value: A) => B | Fault,
  build: (members: readonly (readonly [string, B])[]) => C,
): C | Fault => {
  const converted: (readonly [string, B])[] = []
  for (const [name, member] of members) {
    const value = convert(member)
    if (value instanceof Fault) return value
    converted.push([name, value])
  }
  return build(converted)
}
