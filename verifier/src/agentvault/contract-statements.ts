import {
  type Ed25519PublicKey,
  hash,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  toHex,
} from '@parley/protocol'
import { same, type Statement } from '../finding.js'
import type { ForeignReceipt } from './foreign-receipt.js'
import { namedHashes } from './named-hashes.js'

/** What a contract and the receipt of a session under it must agree on, beyond the contract's hash. */
export const contractStatements = (
  read: ForeignReceipt,
  contract: JsonObject,
  key: Ed25519PublicKey,
): readonly Statement[] => {
  const named = namedHashes(read)
  return [
    ...pinned('prompt_template_hash', contract['prompt_template_hash'], named.program),
    ...pinned('output_schema', schemaHash(contract), named.schema),
    ...pinned('model_profile_hash', contract['model_profile_hash'], named.profile),
    ...pinned('enforcement_policy_hash', contract['enforcement_policy_hash'], named.policy),
    ...participants(read, contract['participants']),
    ...relayKey(contract['relay_verifying_key_hex'], key),
  ]
}

const pinned = (
  what: string,
  value: JsonValue | undefined,
  hashes: readonly string[],
): readonly Statement[] =>
  typeof value === 'string' ? hashes.map((each) => same(value, each, 'contract_mismatch', what)) : []

// A schema without properties is a stub: the hash beside it then says which one is meant.
const schemaHash = ({
  output_schema: schema,
  output_schema_hash: named,
}: JsonObject): JsonValue | undefined =>
  schema !== undefined && isJsonObject(schema) && 'properties' in schema ? hash(schema) : named

const participants = (read: ForeignReceipt, ids: JsonValue | undefined): readonly Statement[] => {
  const seen = participantsOf(read)
  // Their TEE lane names nobody where a session failed.
  if (ids === undefined || !isJsonArray(ids) || seen.length === 0) return []
  return [same(hash([...ids].sort()), hash([...seen].sort()), 'participants_mismatch', 'participants')]
}

const participantsOf = (read: ForeignReceipt): readonly string[] =>
  read.form === '1.0.0'
    ? read.receipt.participant_ids
    : read.receipt.commitments.input_commitments.map(({ participant_id }) => participant_id)

const relayKey = (pin: JsonValue | undefined, key: Ed25519PublicKey): readonly Statement[] =>
  typeof pin === 'string' ? [same(pin, toHex(key), 'receipt_key_not_pinned', 'relay_verifying_key_hex')] : []
