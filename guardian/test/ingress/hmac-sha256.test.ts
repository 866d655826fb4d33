import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { test } from 'vitest'
import { hmacSha256 } from '../../src/ingress/hmac-sha256.js'

test('A2A-02: HMAC-SHA256 is the one of node:crypto, whatever the lengths', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.uint8Array({ maxLength: 300 }), (key, message) => {
      const other = createHmac('sha256', key).update(message).digest()
      return Buffer.from(hmacSha256(key, message)).equals(other)
    }),
  )
})
