/** PLATFORM_INFO: how the host set the platform up. Bits that have no name here are kept in `unknown_bits`. */
export type PlatformInfo = {
  readonly raw: bigint
  readonly smt_enabled: boolean
  readonly tsme_enabled: boolean
  readonly ecc_enabled: boolean
  readonly rapl_disabled: boolean
  readonly ciphertext_hiding_enabled: boolean
  readonly alias_check_complete: boolean
  readonly tio_enabled: boolean
  readonly unknown_bits: bigint
}

// Bit 6 is set on every Turin report seen and has no name in AMD's document yet: it counts as unknown.
const NAMED_BITS = 0xbfn

/** PLATFORM_INFO decoded. Chips set bits before documents name them, so no bit is refused here. */
export const parsePlatformInfo = (raw: bigint): PlatformInfo => {
  const bit = (n: bigint): boolean => ((raw >> n) & 1n) === 1n
  return {
    raw,
    smt_enabled: bit(0n),
    tsme_enabled: bit(1n),
    ecc_enabled: bit(2n),
    rapl_disabled: bit(3n),
    ciphertext_hiding_enabled: bit(4n),
    alias_check_complete: bit(5n),
    tio_enabled: bit(7n),
    unknown_bits: raw & ~NAMED_BITS,
  }
}
