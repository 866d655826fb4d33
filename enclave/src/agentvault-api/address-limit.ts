import type { Clock } from '../clock.js'
import { createRateLimit } from '../gateway/rate-limit.js'
import { putLast } from '../put-last.js'

const MOST_ADDRESSES = 4096

/**
 * A bucket for each address: true while there is something in it. Beyond 4096 addresses the one that was heard of
 * longest ago starts anew.
 */
export function createAddressLimit(
  perMinute: number,
  clock: Pick<Clock, 'nowMs'>,
): (address: string) => boolean {
  const buckets = new Map<string, () => boolean>()
  return (address) => {
    const bucket = buckets.get(address) ?? createRateLimit(perMinute, clock)
    putLast(buckets, address, bucket, MOST_ADDRESSES)
    return bucket()
  }
}
