import { sha256OfText } from '#crypto'
import { toHex } from '../bytes.js'
import { canonicalize } from '../canonicalize.js'
import type { JsonValue } from '../json-value.js'

/**
 * SHA-256(prefix ‖ JCS(value)), 32 bytes: what AgentVault signs. Nothing stands between prefix and text, so theirs can't
 * be confused with ours, which have a zero octet there.
 * @throws ProtocolError json_malformed, json_too_deep
 */
export const prefixedDigest = (prefix: string, value: JsonValue): Uint8Array =>
  sha256OfText(prefix + canonicalize(value))

/** The same in lower-case hex. */
export const prefixedHash = (prefix: string, value: JsonValue): string => toHex(prefixedDigest(prefix, value))
