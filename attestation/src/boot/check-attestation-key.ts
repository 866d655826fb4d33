import { crypto } from '#crypto'
import { AttestationError } from '../errors.js'
import { toHex } from '../hex.js'
import type { AttestationKey } from './parse-attestation-key.js'

// TPMA_OBJECT (TPM 2.0 Library, Part 2, §8.3): fixedTPM, fixedParent, sensitiveDataOrigin, restricted, sign.
const NEEDED = 0x0005_0032
const DECRYPT = 0x0002_0000

const NAME_ALGORITHM = Uint8Array.of(0x00, 0x0b)

/** SHA-256 of the name of a key, lower-case hex: what a keyset calls `boot_ak`. */
export const attestationKeyDigest = async (publicArea: Uint8Array): Promise<string> => {
  const digest = await crypto.sha256(publicArea)
  return toHex(await crypto.sha256(Uint8Array.of(...NAME_ALGORITHM, ...digest)))
}

/**
 * Checks that a key is the one that the keyset names, and that it lives and stays in one TPM and signs only what that
 * TPM itself attests: any other key would sign a quote that somebody wrote.
 * @param expected lower-case hex, SHA-256 of the key's name
 * @throws AttestationError attestation_key_mismatch, attestation_key_unsuitable
 */
export const checkAttestationKey = async (
  { publicArea, attributes }: AttestationKey,
  expected: string,
): Promise<void> => {
  if ((await attestationKeyDigest(publicArea)) !== expected)
    throw new AttestationError('attestation_key_mismatch', 'the keyset names another key')
  if ((attributes & NEEDED) !== NEEDED || (attributes & DECRYPT) !== 0)
    throw new AttestationError('attestation_key_unsuitable', 'the key may sign what its TPM did not make')
}
