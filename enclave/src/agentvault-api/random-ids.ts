import { toHex } from '@parley/protocol'

/** Fresh octets. */
type Random = (size: number) => Uint8Array

/** 64 hex digits. */
export const freshSessionId = (random: Random): string => toHex(random(32))

/** `inv_` and 32 hex digits. */
export const freshInviteId = (random: Random): string => `inv_${toHex(random(16))}`

/**
 * A UUID of random bits.
 * @see RFC 9562 §5.4
 */
export function freshUuid(random: Random): string {
  const octets = random(16)
  octets[6] = ((octets[6] ?? 0) & 0x0f) | 0x40
  octets[8] = ((octets[8] ?? 0) & 0x3f) | 0x80
  const hex = toHex(octets)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
