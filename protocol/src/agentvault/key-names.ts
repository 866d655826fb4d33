import { sha256, sha256OfText } from '#crypto'
import { toHex } from '../bytes.js'
import type { Ed25519PublicKey } from '../ed25519.js'

/** `receipt_key_id` of a 1.0.0 receipt: `kid-` and the SHA-256 of the key's hex digits as ASCII. */
export const agentVaultKeyId = (key: Ed25519PublicKey): string => `kid-${toHex(sha256OfText(toHex(key)))}`

/** `operator_key_fingerprint` of a 2.1.0 receipt: the SHA-256 of the 32 bytes, in hex. */
export const agentVaultKeyFingerprint = (key: Ed25519PublicKey): string => toHex(sha256(key))
