import { type AeadId } from './crypto-port.js'
import { utf8 } from './bytes.js'

export type { AeadId }

/** DHKEM(X25519, HKDF-SHA256): public keys and `enc` of 32 bytes. @see RFC 9180 §7.1 */
export const KEM_X25519_HKDF_SHA256 = 0x0020

/** @see RFC 9180 §7.2 */
export const KDF_HKDF_SHA256 = 0x0001

/** @see RFC 9180 §7.3 */
export const AEAD_AES_128_GCM = 0x0001

/** @see RFC 9180 §7.3 */
export const AEAD_CHACHA20_POLY1305 = 0x0003

/** Nk, the bytes of a key; Nn is 12 and the tag 16 for both. @see RFC 9180 §7.3 */
export const AEAD_KEY_BYTES: Readonly<Record<AeadId, number>> = {
  [AEAD_AES_128_GCM]: 16,
  [AEAD_CHACHA20_POLY1305]: 32,
}

/** Nn of both AEADs. */
export const AEAD_NONCE_BYTES = 12

/** Bytes that sealing adds, for both AEADs. */
export const AEAD_TAG_BYTES = 16

/** Npk, Nenc and Nsk of the KEM. */
export const X25519_KEY_BYTES = 32

/** True for the two AEADs that this package speaks. */
export const isAeadId = (id: number): id is AeadId => id === AEAD_AES_128_GCM || id === AEAD_CHACHA20_POLY1305

/** Two octets, big-endian. */
export const u16 = (number: number): Uint8Array => Uint8Array.of(number >> 8, number & 0xff)

/** "KEM" ‖ kem_id. @see RFC 9180 §4.1 */
export const KEM_SUITE_ID = Uint8Array.of(...utf8('KEM'), ...u16(KEM_X25519_HKDF_SHA256))

/** "HPKE" ‖ kem_id ‖ kdf_id ‖ aead_id. @see RFC 9180 §5.1 */
export const hpkeSuiteId = (aead: AeadId): Uint8Array =>
  Uint8Array.of(...utf8('HPKE'), ...u16(KEM_X25519_HKDF_SHA256), ...u16(KDF_HKDF_SHA256), ...u16(aead))
