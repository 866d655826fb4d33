import { agentVaultKeyFingerprint, agentVaultKeyId, type Ed25519PublicKey, toHex } from '@parley/protocol'
import { failed, type Finding, notRun, passed, same, stated } from '../finding.js'
import type { ForeignReceipt } from './foreign-receipt.js'

/**
 * Compares the keys that a receipt names with the pinned one. None of them is ever verified with: whoever forges a
 * receipt names a key of his own.
 */
export const checkKeys = (read: ForeignReceipt, key: Ed25519PublicKey): readonly Finding[] => [
  read.form === '1.0.0'
    ? ofFirst(read.receipt.receipt_key_id, key)
    : ofSecond(read.receipt.tee_attestation, key),
  read.form === '1.0.0'
    ? notRun('agentvault_operator', 'not_named')
    : checkOperator(read.receipt.operator.operator_key_fingerprint, key),
]

const ofFirst = (id: string | undefined, key: Ed25519PublicKey): Finding =>
  id === undefined
    ? notRun('agentvault_key', 'not_named')
    : stated('agentvault_key', [same(id, agentVaultKeyId(key), 'receipt_key_not_pinned', 'receipt_key_id')])

type Tee = Extract<ForeignReceipt, { readonly form: '2.1.0' }>['receipt']['tee_attestation']

const ofSecond = (tee: Tee, key: Ed25519PublicKey): Finding => {
  const embedded = tee?.receipt_signing_pubkey_hex
  if (embedded === undefined) return notRun('agentvault_key', 'not_named')
  return embedded === toHex(key)
    ? passed('agentvault_key')
    : failed('agentvault_key', 'receipt_key_not_pinned', 'tee_attestation.receipt_signing_pubkey_hex')
}

// An operator may keep a key of his own beside the one that signs receipts, so another fingerprint contradicts nothing.
const checkOperator = (fingerprint: string, key: Ed25519PublicKey): Finding =>
  fingerprint === agentVaultKeyFingerprint(key)
    ? passed('agentvault_operator')
    : notRun('agentvault_operator', 'other_key_named')
