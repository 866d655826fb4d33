import { AttestationError } from '../errors.js'

/** The key that signs a report: the chip's own (VCEK) or one that a cloud provider loaded (VLEK). */
export type SigningKey = 'vcek' | 'vlek'

/** SIGNER_INFO. The signing key is null where the field says none (7) or a reserved value (2 to 6). */
export type SignerInfo = {
  readonly raw: number
  readonly author_key_en: boolean
  readonly mask_chip_key: boolean
  readonly signing_key: SigningKey | null
}

const SIGNING_KEYS: readonly (SigningKey | undefined)[] = ['vcek', 'vlek']

/**
 * SIGNER_INFO decoded.
 * @throws AttestationError report_malformed where a bit of 31:5 is set
 */
export const parseSignerInfo = (raw: number): SignerInfo => {
  if (raw >>> 5 !== 0) throw new AttestationError('report_malformed', 'SIGNER_INFO has a reserved bit set')
  return {
    raw,
    author_key_en: (raw & 1) === 1,
    mask_chip_key: (raw & 2) === 2,
    signing_key: SIGNING_KEYS[raw >>> 2] ?? null,
  }
}
