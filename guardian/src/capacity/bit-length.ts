/** Bits of the binary form of a non-negative integer; 0 for 0. */
export const bitLength = (value: bigint): number => {
  if (value === 0n) return 0
  const hex = value.toString(16)
  // The leading digit has 1 to 4 bits, all others have 4.
  return (hex.length - 1) * 4 + (32 - Math.clz32(Number.parseInt(hex.charAt(0), 16)))
}

/** ⌈log2 value⌉ for a positive integer. */
export const ceilLog2 = (value: bigint): number => bitLength(value - 1n)
