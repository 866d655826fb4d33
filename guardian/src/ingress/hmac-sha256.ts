import { concatBytes, sha256 } from '@parley/protocol'

const BLOCK_BYTES = 64

/**
 * HMAC-SHA256, 32 bytes.
 * @see RFC 2104 §2; FIPS 198-1
 */
export const hmacSha256 = (key: Uint8Array, message: Uint8Array): Uint8Array => {
  const block = new Uint8Array(BLOCK_BYTES)
  block.set(key.length > BLOCK_BYTES ? sha256(key) : key)
  const inner = sha256(
    concatBytes(
      block.map((octet) => octet ^ 0x36),
      message,
    ),
  )
  return sha256(
    concatBytes(
      block.map((octet) => octet ^ 0x5c),
      inner,
    ),
  )
}
