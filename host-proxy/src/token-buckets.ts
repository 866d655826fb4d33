import type { Clock } from './clock.js'
import { addressBlock } from './address-block.js'

/** How many requests a remote address may make: `burst` at once, `perSecond` in the long run. */
export type Rate = { readonly burst: number; readonly perSecond: number }

type Bucket = { readonly tokens: number; readonly filledAtMs: number }

/** Addresses that are remembered at once. */
const MAX_BUCKETS = 16_384

/** One token bucket per remote address. When its memory is full, addresses that it does not know are refused. */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>()
  readonly #rate: Rate
  readonly #clock: Clock

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate
    this.#clock = clock
  }

  /** Takes one token of the address; false if it has none. */
  take(address: string): boolean {
    const block = addressBlock(address)
    const nowMs = this.#clock()
    const tokens = this.#tokens(block, nowMs)
    if (tokens < 1 || !this.#hasRoom(block, nowMs)) return false
    this.#buckets.set(block, { tokens: tokens - 1, filledAtMs: nowMs })
    return true
  }

  #tokens(block: string, nowMs: number): number {
    const bucket = this.#buckets.get(block)
    if (bucket === undefined) return this.#rate.burst
    const elapsedMs = Math.max(0, nowMs - bucket.filledAtMs)
    return Math.min(this.#rate.burst, bucket.tokens + (elapsedMs * this.#rate.perSecond) / 1000)
  }

  /** A full bucket says no more than none, so it can be forgotten; a drained one cannot. */
  #hasRoom(block: string, nowMs: number): boolean {
    if (this.#buckets.has(block) || this.#buckets.size < MAX_BUCKETS) return true
    for (const known of this.#buckets.keys())
      if (this.#tokens(known, nowMs) >= this.#rate.burst) this.#buckets.delete(known)
    return this.#buckets.size < MAX_BUCKETS
  }
}
