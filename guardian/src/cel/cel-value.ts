/** The values that a program computes with. There are no doubles: every number is an exact int64. */
export type CelValue = null | boolean | bigint | string | readonly CelValue[] | ReadonlyMap<string, CelValue>

/** A map by string keys. A Map, since a participant's member names may be `__proto__` or `constructor`. */
export type CelMap = ReadonlyMap<string, CelValue>

type ValueOf = {
  readonly null: null
  readonly bool: boolean
  readonly int: bigint
  readonly string: string
  readonly list: readonly CelValue[]
  readonly map: CelMap
  readonly dyn: CelValue
}

/** A type, as far as the type check looks; `dyn` is known only when the program runs. */
export type Kind = keyof ValueOf

/** A value of a kind. */
export type OfKind<K extends Kind> = ValueOf[K]

const INT64 = { lowest: -(2n ** 63n), highest: 2n ** 63n - 1n }

/** True within CEL's int; all arithmetic outside is an error, never a wrap. */
export const isInt64 = (value: bigint): boolean => INT64.lowest <= value && value <= INT64.highest

/** The kind of a value at run time. */
export const kindOf = (value: CelValue): Exclude<Kind, 'dyn'> => {
  if (value === null) return 'null'
  if (typeof value === 'bigint') return 'int'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return Array.isArray(value) ? 'list' : 'map'
}

/** Narrows a value to a kind. */
export const isKind = <K extends Kind>(value: CelValue, kind: K): value is OfKind<K> =>
  kind === 'dyn' || kindOf(value) === kind
