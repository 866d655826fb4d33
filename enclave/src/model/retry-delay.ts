import { parseHttpDate } from '../session/http-date.js'

const FIRST_MS = 500
const MOST_MS = 8000

/** When another attempt may be made. */
export type DelayTerms = {
  /** Attempts already made, from 1. */
  readonly attempts: number
  readonly retryAfter: string | undefined
  readonly nowSeconds: number
  readonly random: (size: number) => Uint8Array
}

/**
 * How long to wait before another attempt, in milliseconds: at random up to a bound that doubles, so that relays
 * which failed together don't return together; and never less than the server asks for.
 * @see RFC 9110 §10.2.3
 */
export const retryDelayMs = ({ attempts, retryAfter, nowSeconds, random }: DelayTerms): number => {
  const bound = Math.min(MOST_MS, FIRST_MS * 2 ** (attempts - 1))
  const [high = 0, low = 0] = random(2)
  const jitter = Math.floor((bound * (high * 256 + low)) / 65_536)
  return Math.max(jitter, askedMs(retryAfter, nowSeconds))
}

const askedMs = (retryAfter: string | undefined, nowSeconds: number): number => {
  if (retryAfter === undefined) return 0
  if (/^\d{1,8}$/.test(retryAfter)) return Number(retryAfter) * 1000
  const at = parseHttpDate(retryAfter)
  return at === undefined ? 0 : Math.max(0, at - nowSeconds) * 1000
}
