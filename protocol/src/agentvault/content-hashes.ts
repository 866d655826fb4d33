import { sha256OfText } from '#crypto'
import { toHex } from '../bytes.js'
import { canonicalize } from '../canonicalize.js'
import { hash } from '../digest.js'
import type { JsonObject } from '../json-value.js'

/** `output_hash` where a session has no output: SHA-256 of nothing. */
export const NO_OUTPUT_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/**
 * The hash by which receipts name a contract. A member `contract_hash`, which their builder adds after hashing, is left
 * out.
 * @throws ProtocolError json_malformed, json_too_deep
 */
export const agentVaultContractHash = (contract: JsonObject): string => {
  const { contract_hash: _, ...hashed } = contract
  return hash(hashed)
}

/** `pair_id` of two participants: SHA-256("vcav/pair_id/v1" ‖ JCS of both ids in NFC, sorted). */
export const agentVaultPairId = (ids: readonly [string, string]): string =>
  toHex(sha256OfText(`vcav/pair_id/v1${canonicalize(ids.map((id) => id.normalize('NFC')).sort())}`))
