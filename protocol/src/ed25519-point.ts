const P = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const ORDER_EIGHT_Y = 2707385501144840649318225287225658788936804267575313519463743609750303402022n

// The y of every point whose order divides 8: the identity, (0, -1), the two of order 4, the four of order 8.
const SMALL_ORDER_Y: ReadonlySet<bigint> = new Set([1n, P - 1n, 0n, ORDER_EIGHT_Y, P - ORDER_EIGHT_Y])

/** Why 32 bytes are not a usable public key; undefined if they are. */
export const pointDefect = (bytes: Uint8Array): string | undefined => {
  const y = bytes.reduceRight((number, octet) => (number << 8n) | BigInt(octet), 0n) & (2n ** 255n - 1n)
  if (y >= P) return 'y is not canonical'
  // A small-order key verifies signatures on messages that its holder never saw.
  if (SMALL_ORDER_Y.has(y)) return 'the point has small order'
  return isOnCurve(y) ? undefined : 'the point is not on the curve'
}

/** RFC 8032 §5.1.3: x² = (y² - 1) / (d y² + 1) must be a square; u/v is one exactly if u v is one. */
const isOnCurve = (y: bigint): boolean => {
  const ySquared = (y * y) % P
  return power(((ySquared - 1n) * (D * ySquared + 1n)) % P, (P - 1n) / 2n) === 1n
}

const power = (base: bigint, exponent: bigint): bigint => {
  let result = 1n
  for (const bit of exponent.toString(2)) {
    result = (result * result) % P
    if (bit === '1') result = (result * base) % P
  }
  return result
}
