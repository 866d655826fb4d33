import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '@parley/protocol'
import * as v from 'valibot'

// The spellings that task and response share.

const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/u
const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** A text of up to `most` UTF-16 units. */
export const text = (least: number, most: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.minLength(least), v.maxLength(most))

/** A persistent instance id. */
export const instanceId = v.pipe(v.string(), v.regex(UUID_V4))

/** Lower-case hex of 32 octets. */
export const hex32 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))

/** Base64url of 64 octets; the signature's own check is stricter. */
export const signature64 = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{86}$/))

/** An integer in [least, most]. */
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER): v.GenericSchema<number> =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

/** Any JSON object; the parser has bounded it. */
export const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)

/** True for a name that can be a file's: no folder, no drive, not hidden, nothing that stays unseen. */
export const isOriginId = (id: string): boolean =>
  id.length <= 256 && /^[^./\\:][^/\\:]*$/.test(id) && !INVISIBLE.test(id)

/** True if every number in the value is an integer in ±(2^53−1): two JSON writers spell no other number alike. */
export const hasOnlyIntegers = (value: JsonValue): boolean => {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  if (isJsonArray(value)) return value.every(hasOnlyIntegers)
  return !isJsonObject(value) || Object.values(value).every(hasOnlyIntegers)
}
