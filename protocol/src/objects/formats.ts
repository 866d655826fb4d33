import * as v from 'valibot'
import { isDid } from '../did.js'
import type { JsonObject, JsonValue } from '../json-value.js'
import { LANES } from '../labels.js'

// The spellings that wire members share (SPEC §2). Each is refused unless exact, so that one value has one form.

/** Lower-case hex of exactly `size` octets. */
export const hex = (size: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.regex(new RegExp(`^[0-9a-f]{${String(size * 2)}}$`), `hex of ${String(size)} octets`))

// What fromBase64url accepts, told without decoding: the unused bits of the last character are zero (RFC 4648 §3.5).
const BASE64URL = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/

/** Unpadded canonical base64url of exactly `size` octets. */
export const base64url = (size: number): v.GenericSchema<string> =>
  v.pipe(
    v.string(),
    v.length(Math.ceil((size * 4) / 3)),
    v.regex(BASE64URL, `base64url of ${String(size)} octets`),
  )

/** Unpadded canonical base64url of 1 to `most` octets. */
export const base64urlUpTo = (most: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(Math.ceil((most * 4) / 3)), v.regex(BASE64URL, 'base64url'))

/** A lower-case hex SHA-256. */
export const digest = hex(32)

/** A text of 1 to `most` characters. */
export const text = (most: number): v.GenericSchema<string> =>
  v.pipe(v.string(), v.minLength(1), v.maxLength(most))

/** An integer in [least, most]. */
export const integer = (least: number, most = Number.MAX_SAFE_INTEGER): v.GenericSchema<number> =>
  v.pipe(v.number(), v.safeInteger(), v.minValue(least), v.maxValue(most))

/** Unix time in whole seconds. */
export const time = integer(0)

/** A self-certifying did:oas identifier (SPEC §5). */
export const did = v.pipe(v.string(), v.maxLength(256), v.check(isDid, 'did:oas identifier'))

/** A short human-chosen name: printable ASCII without spaces, 1 to 64 characters. */
export const name = v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,64}$/, 'printable ASCII, 1 to 64 characters'))

/** A non-negative decimal integer of any size, as a string. */
export const bigCount = v.pipe(
  v.string(),
  v.maxLength(1300),
  v.regex(/^(?:0|[1-9][0-9]*)$/, 'decimal integer'),
)

/** An execution lane. */
export const lane = v.picklist(LANES)

/** Any JSON value; the parser has already bounded it. */
export const json = v.custom<JsonValue>((value) => value !== undefined, 'JSON value')

/** Any JSON object. */
export const jsonObject = v.custom<JsonObject>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'JSON object',
)
