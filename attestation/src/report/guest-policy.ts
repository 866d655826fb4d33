import { AttestationError } from '../errors.js'

/** POLICY: what the guest's owner allowed at launch. */
export type GuestPolicy = {
  readonly raw: bigint
  readonly abi_minor: number
  readonly abi_major: number
  readonly smt: boolean
  readonly migrate_ma: boolean
  readonly debug: boolean
  readonly single_socket: boolean
  readonly cxl: boolean
  readonly aes_256_xts: boolean
  readonly rapl_disabled: boolean
  readonly ciphertext_hiding: boolean
  readonly page_swap_disabled: boolean
}

const MUST_BE_ONE = 1n << 17n
const FIRST_RESERVED_BIT = 26n

/**
 * POLICY decoded.
 * @throws AttestationError report_malformed where bit 17 is clear or a reserved bit is set
 */
export const parseGuestPolicy = (raw: bigint): GuestPolicy => {
  const bit = (n: bigint): boolean => ((raw >> n) & 1n) === 1n
  if ((raw & MUST_BE_ONE) === 0n || raw >> FIRST_RESERVED_BIT !== 0n) {
    throw new AttestationError('report_malformed', 'POLICY has a reserved bit that is not as reserved')
  }
  return {
    raw,
    abi_minor: Number(raw & 0xffn),
    abi_major: Number((raw >> 8n) & 0xffn),
    smt: bit(16n),
    migrate_ma: bit(18n),
    debug: bit(19n),
    single_socket: bit(20n),
    cxl: bit(21n),
    aes_256_xts: bit(22n),
    rapl_disabled: bit(23n),
    ciphertext_hiding: bit(24n),
    page_swap_disabled: bit(25n),
  }
}
