import { canonicalBytes, type JsonObject, type JsonValue, parseCanonicalJson } from '@parley/protocol'

/**
 * JCS bytes, filled with zero octets to a size that does not depend on what the record says: the host sees how long
 * its records are.
 * @param size octets; a record that is longer is a fault of the caller
 */
export function toPaddedJson(value: JsonObject, size: number): Uint8Array {
  const bytes = canonicalBytes(value)
  if (bytes.length > size)
    throw new RangeError(`a record of ${bytes.length} octets does not fit into ${size}`)
  const padded = new Uint8Array(size)
  padded.set(bytes)
  return padded
}

/** The value of a padded record. JSON holds no zero octet, so the padding begins at the first one. */
export function fromPaddedJson(padded: Uint8Array): JsonValue {
  const end = padded.indexOf(0)
  return parseCanonicalJson(end < 0 ? padded : padded.subarray(0, end))
}
