import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@parley/protocol'

/** Where something stands: member names and indices. */
export type Place = readonly (string | number)[]

export const pointer = (place: Place): string => place.map((step) => `/${step}`).join('')

/** Every place of a value at which something of this kind stands, the whole included. */
const placesOf = (value: JsonValue, is: (value: JsonValue) => boolean, at: Place = []): Place[] => {
  const here = is(value) ? [at] : []
  if (isJsonArray(value))
    return [...here, ...value.flatMap((item, index) => placesOf(item, is, [...at, index]))]
  if (!isJsonObject(value)) return here
  return [...here, ...Object.entries(value).flatMap(([name, member]) => placesOf(member, is, [...at, name]))]
}

/** The value with something else at a place; undefined takes the member away. */
const put = (
  value: JsonValue,
  [step, ...rest]: Place,
  other: (old: JsonValue) => JsonValue | undefined,
): JsonValue => {
  if (step === undefined) return other(value) ?? null
  if (isJsonArray(value)) return value.map((item, index) => (index === step ? put(item, rest, other) : item))
  if (!isJsonObject(value)) throw new Error('nothing there')
  if (rest.length > 0) return { ...value, [step]: put(value[step] ?? null, rest, other) }
  const changed = other(value[step] ?? null)
  const others = Object.entries(value).filter(([name]) => name !== step)
  return Object.fromEntries(changed === undefined ? others : [...others, [String(step), changed]])
}

/** A value changed at one place. */
export type Mutation = { readonly at: string; readonly value: JsonValue }

/** One more member in each object, at every level. */
export const withUnknownMembers = (value: JsonValue): Mutation[] =>
  placesOf(value, (each) => isJsonObject(each)).map((place) => ({
    at: `${pointer(place)}/zz_unknown`,
    value: put(value, place, (old) => ({ ...(old as JsonObject), zz_unknown: null })),
  }))

/** One member less in each object, at every level. */
export const withoutMembers = (value: JsonValue): Mutation[] =>
  placesOf(value, () => true)
    .filter((place) => typeof place.at(-1) === 'string')
    .map((place) => ({ at: pointer(place), value: put(value, place, () => undefined) }))

/** Another word wherever one of these members stands. */
export const withOtherWords = (value: JsonValue, members: readonly string[], word: string): Mutation[] =>
  placesOf(value, (each) => typeof each === 'string')
    .filter((place) => members.includes(String(place.at(-1))))
    .map((place) => ({ at: pointer(place), value: put(value, place, () => word) }))
