import {
  type AgentVaultReceiptV1,
  type AgentVaultReceiptV2,
  type Ed25519PublicKey,
  isJsonObject,
  parseAgentVaultReceiptV1,
  parseAgentVaultReceiptV2,
  parseJson,
  ProtocolError,
  verifyAgentVaultReceiptV1,
  verifyAgentVaultReceiptV2,
} from '@parley/protocol'

/** A receipt of AgentVault, in one of its two forms. */
export type ForeignReceipt =
  | { readonly form: '1.0.0'; readonly receipt: AgentVaultReceiptV1 }
  | { readonly form: '2.1.0'; readonly receipt: AgentVaultReceiptV2 }

/**
 * Whether a file says by its version member that it is an AgentVault receipt, of whatever version. Theirs are not kept
 * as canonical bytes, so white space and order are free.
 */
export const isForeign = (bytes: Uint8Array): boolean => {
  try {
    const value = parseJson(bytes)
    return isJsonObject(value) && !('version' in value) && MARKS.some((mark) => mark in value)
  } catch (error) {
    if (error instanceof ProtocolError) return false
    throw error
  }
}

const MARKS = ['receipt_schema_version', 'schema_version'] as const

/**
 * Reads such a file. Which form it must have, its version member alone decides, never the shape of its signature.
 * @throws ProtocolError json_malformed, json_too_deep, object_malformed
 */
export const readForeign = (bytes: Uint8Array): ForeignReceipt => {
  const value = parseJson(bytes)
  return isJsonObject(value) && 'receipt_schema_version' in value
    ? { form: '2.1.0', receipt: parseAgentVaultReceiptV2(value) }
    : { form: '1.0.0', receipt: parseAgentVaultReceiptV1(value) }
}

/**
 * Verifies the signature behind the prefix of its form.
 * @throws ProtocolError signature_invalid
 */
export const verifyForeign = (read: ForeignReceipt, key: Ed25519PublicKey): void => {
  if (read.form === '1.0.0') verifyAgentVaultReceiptV1(read.receipt, key)
  else verifyAgentVaultReceiptV2(read.receipt, key)
}

/** Whether the session gave an output; null where the receipt does not say. */
export const isCompleted = (read: ForeignReceipt): boolean | null => {
  if (read.form === '1.0.0') return read.receipt.status === 'COMPLETED'
  const { status } = read.receipt.claims
  return status === undefined ? null : status === 'success'
}
