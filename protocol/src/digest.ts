import { sha256, sha256OfText, sha512 } from '#crypto'
import { toHex, utf8 } from './bytes.js'
import { canonicalize } from './canonicalize.js'
import type { JsonValue } from './json-value.js'

/**
 * SHA-256, 32 bytes.
 * @see FIPS 180-4 §6.2
 */
export { sha256 }

/**
 * SHA-512, 64 bytes.
 * @see FIPS 180-4 §6.4
 */
export { sha512 }

/**
 * The content address of a value: lower-case hex of the SHA-256 of its canonical JSON, without a prefix.
 * @throws ProtocolError `json_malformed`, `json_too_deep`
 */
export const hash = (value: JsonValue): string => toHex(sha256OfText(canonicalize(value)))

/**
 * label ‖ 0x00 ‖ canonical JSON. No label holds a zero octet, so no two pairs give the same bytes.
 * @throws ProtocolError `json_malformed`, `json_too_deep`
 */
export const labelledBytes = (label: string, value: JsonValue): Uint8Array => utf8(labelledText(label, value))

/** SHA-256 of {@link labelledBytes}, 32 bytes: what our own signatures sign. */
export const labelledDigest = (label: string, value: JsonValue): Uint8Array =>
  sha256OfText(labelledText(label, value))

/** SHA-512 of {@link labelledBytes}, 64 bytes: the size of REPORT_DATA. */
export const labelledSha512 = (label: string, value: JsonValue): Uint8Array =>
  sha512(labelledBytes(label, value))

const labelledText = (label: string, value: JsonValue): string => `${label}\0${canonicalize(value)}`
