import { concatBytes, utf8 } from './bytes.js'
import type { AeadId } from './crypto-port.js'
import { ProtocolError } from './errors.js'
import { isAeadId, KDF_HKDF_SHA256, KEM_X25519_HKDF_SHA256, u16 } from './hpke-suite.js'
import type { KeyConfig } from './key-config.js'

/** key_id(1) ‖ kem_id(2) ‖ kdf_id(2) ‖ aead_id(2). */
export const HEADER_BYTES = 7

const INFO_PREFIX = utf8('message/bhttp request\0')

/** The header of an encapsulated request. @see RFC 9458 §4.3 */
export const requestHeader = (keyId: number, aead: AeadId): Uint8Array =>
  concatBytes(Uint8Array.of(keyId), u16(KEM_X25519_HKDF_SHA256), u16(KDF_HKDF_SHA256), u16(aead))

/** "message/bhttp request" ‖ 0x00 ‖ header. @see RFC 9458 §4.3 */
export const requestInfo = (header: Uint8Array): Uint8Array => concatBytes(INFO_PREFIX, header)

/**
 * The first AEAD of a configuration that this package speaks, or the wanted one.
 * @throws ProtocolError `ohttp_key_unknown` if the configuration has none.
 */
export const chooseAead = ({ kemId, suites }: KeyConfig, wanted: number | undefined): AeadId => {
  for (const { kdfId, aeadId } of suites)
    if (kdfId === KDF_HKDF_SHA256 && isAeadId(aeadId) && (wanted ?? aeadId) === aeadId)
      if (kemId === KEM_X25519_HKDF_SHA256) return aeadId
  throw new ProtocolError('ohttp_key_unknown', 'the key configuration has no suite in common')
}
