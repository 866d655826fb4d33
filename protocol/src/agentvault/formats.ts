import * as v from 'valibot'
import { ProtocolError } from '../errors.js'
import { isJsonArray, type JsonValue } from '../json-value.js'
import { integer } from '../objects/formats.js'

/** A count as their Rust types hold it: 32 bits, no sign. */
export const count = integer(0, 0xffff_ffff)

/** An instant of RFC 3339, with a fraction or an offset where somebody wrote one. */
export const instant = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/, 'RFC 3339'),
)

/**
 * Refuses integers that a double can't tell from their neighbours. Their signer writes such a number in all its digits,
 * we would write another one, and a hash over it would be of what nobody sees.
 * @throws ProtocolError object_malformed
 * @see RFC 7493 (I-JSON) §2.2
 */
export const requireExactNumbers = (value: JsonValue): void => {
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new ProtocolError('object_malformed', 'an integer lies beyond ±(2^53 − 1)')
  if (typeof value !== 'object' || value === null) return
  for (const item of isJsonArray(value) ? value : Object.values(value)) requireExactNumbers(item)
}
