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

const MUST_BE_ONE = 17
const FIRST_RESERVED_BIT = 1n << 26n

/**
 * POLICY decoded.
 * @throws AttestationError report_malformed where bit 17 is clear or a reserved bit is set
 */
export const parseGuestPolicy = (raw: bigint): GuestPolicy => {
  // Below the first reserved bit it is a small number; above it nothing is set, or it is refused.
  const low = raw < FIRST_RESERVED_BIT ? Number(raw) : 0
  const bit = (n: number): boolean => ((low >> n) & 1) === 1
  if (!bit(MUST_BE_ONE)) {
    throw new AttestationError('report_malformed', 'POLICY has a reserved bit that is not as reserved')
  }
  return {
    raw,
    abi_minor: low & 0xff,
    abi_major: (low >> 8) & 0xff,
    smt: bit(16),
    migrate_ma: bit(18),
    debug: bit(19),
    single_socket: bit(20),
    cxl: bit(21),
    aes_256_xts: bit(22),
    rapl_disabled: bit(23),
    ciphertext_hiding: bit(24),
    page_swap_disabled: bit(25),
  }
}
