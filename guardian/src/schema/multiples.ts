/** No multiple of this but 0 is an exact integer. */
const BEYOND = 2 ** 53

type Range = { readonly lowest: number; readonly highest: number; readonly step: number }

/** The multiples of `step` from lowest to highest, with both ends being such, or null where there is none. */
export const multiplesWithin = (lowest: number, highest: number, step: number): Range | null => {
  const first = lowest + upward(lowest, step)
  const last = highest - upward(-highest, step)
  return first <= last ? { lowest: first, highest: last, step } : null
}

/** How far up the next multiple is. A remainder is exact where a quotient would be rounded. */
const upward = (from: number, step: number): number => {
  if (!Number.isFinite(from)) return 0
  const remainder = from % step
  return remainder > 0 ? step - remainder : Math.abs(remainder)
}

/** The least common multiple of two positive integers, or 2^53 where it is no exact integer. */
export const leastCommonMultiple = (a: number, b: number): number => {
  const multiple = (a / greatestCommonDivisor(a, b)) * b
  return Number.isSafeInteger(multiple) ? multiple : BEYOND
}

const greatestCommonDivisor = (a: number, b: number): number =>
  b === 0 ? a : greatestCommonDivisor(b, a % b)
