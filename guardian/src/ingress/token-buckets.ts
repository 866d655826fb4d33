const MINUTE_MS = 60_000

type Bucket = { level: number; size: number; atMs: number }

/**
 * One bucket an origin: `perMinute` tokens at the most, as many flow in a minute, each request takes one. A clock that
 * goes back adds nothing. When `most` buckets are in use, one that would be full is forgotten, since it says nothing; no
 * other is.
 */
export class TokenBuckets {
  readonly #buckets = new Map<string, Bucket>()
  readonly #most: number

  constructor(most = 1000) {
    this.#most = most
  }

  /**
   * True if a token was there, and is taken.
   * @param perMinute 0 is without limit
   * @param nowMs of a monotonic clock, in milliseconds
   */
  take(owner: string, perMinute: number, nowMs: number): boolean {
    if (perMinute === 0) return true
    const bucket = this.#buckets.get(owner) ?? this.#open(owner, perMinute, nowMs)
    if (bucket === undefined) return false
    Object.assign(bucket, { level: levelAt(bucket, perMinute, nowMs), size: perMinute, atMs: nowMs })
    if (bucket.level < 1) return false
    bucket.level -= 1
    return true
  }

  #open(owner: string, perMinute: number, nowMs: number): Bucket | undefined {
    if (this.#buckets.size >= this.#most) this.#forgetFull(nowMs)
    if (this.#buckets.size >= this.#most) return undefined
    const bucket = { level: perMinute, size: perMinute, atMs: nowMs }
    this.#buckets.set(owner, bucket)
    return bucket
  }

  #forgetFull(nowMs: number): void {
    for (const [owner, bucket] of this.#buckets)
      if (levelAt(bucket, bucket.size, nowMs) >= bucket.size) this.#buckets.delete(owner)
  }
}

const levelAt = ({ level, size, atMs }: Bucket, perMinute: number, nowMs: number): number =>
  Math.min(perMinute, level + (Math.max(0, nowMs - atMs) * Math.min(size, perMinute)) / MINUTE_MS)
