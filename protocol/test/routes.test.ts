import { describe, expect, it } from 'vitest'
import { generateGatewayKey, startRequest } from '../src/ohttp.js'
import { keyIdOf, MAX_MESSAGE_BYTES, SIZE_CLASSES } from '../src/routes.js'

describe('routes', () => {
  it('the key id of a request is its first octet, and an empty message has none', () => {
    expect(keyIdOf(startRequest(generateGatewayKey(200).config).seal(new Uint8Array(0)))).toBe(200)
    expect(keyIdOf(new Uint8Array(0))).toBeUndefined()
  })

  it('the largest message is the largest size class', () => {
    expect(MAX_MESSAGE_BYTES).toBe(Math.max(...SIZE_CLASSES))
  })
})
