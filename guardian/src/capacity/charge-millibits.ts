import { bitLength, ceilLog2 } from './bit-length.js'

/** An integer known to lie in [low·2^shift, high·2^shift]. */
type Interval = { readonly low: bigint; readonly high: bigint; readonly shift: number }

/**
 * The least integer m with outcomes^1000 ≤ 2^m: the ledger charge in thousandths of a bit, exact.
 * The power is taken on intervals of a few hundred bits instead of on four million; where the interval straddles
 * a power of two, the precision is doubled, up to where nothing is rounded.
 */
export const chargeMillibits = (outcomes: bigint): number => {
  for (let precision = 256; ; precision *= 2) {
    const { low, high, shift } = thousandthPower(outcomes, precision)
    const least = ceilLog2(low) + shift
    if (least === ceilLog2(high) + shift) return least
  }
}

const thousandthPower = (base: bigint, precision: number): Interval => {
  let power: Interval = { low: 1n, high: 1n, shift: 0 }
  for (const bit of (1000).toString(2)) {
    power = product(power, power, precision)
    if (bit === '1') power = product(power, { low: base, high: base, shift: 0 }, precision)
  }
  return power
}

const product = (a: Interval, b: Interval, precision: number): Interval => {
  const low = a.low * b.low
  const high = a.high * b.high
  const excess = BigInt(Math.max(0, bitLength(high) - precision))
  // Outwards: the lower end down, the upper end up.
  return { low: low >> excess, high: -(-high >> excess), shift: a.shift + b.shift + Number(excess) }
}
