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
  const low = Number(raw & 0xffn)
  const bit = (n: number): boolean => ((low >> n) & 1) === 1
  return {
    raw,
    smt_enabled: bit(0),
    tsme_enabled: bit(1),
    ecc_enabled: bit(2),
    rapl_disabled: bit(3),
    ciphertext_hiding_enabled: bit(4),
    alias_check_complete: bit(5),
    tio_enabled: bit(7),
    unknown_bits: raw & ~NAMED_BITS,
  }
}
