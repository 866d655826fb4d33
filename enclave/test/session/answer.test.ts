import { ProtocolError } from '@parley/protocol'
import { describe, expect, it } from 'vitest'
import { jsonResponse } from '../../src/session/answer.js'

describe('an answer', () => {
  it('has the smallest size class that holds it', () => {
    expect(jsonResponse(200, { a: 'x'.repeat(3000) }).padTo).toBe(4096)
    expect(jsonResponse(200, { a: 'x'.repeat(4000) }).padTo).toBe(16_384)
  })

  it('has the size class of its bound, however short it is', () => {
    expect(jsonResponse(200, {}, 16_384).padTo).toBe(16_384)
    expect(jsonResponse(200, {}, 5000).padTo).toBe(16_384)
  })

  it('over its bound is refused as too_large: its length would tell what it holds', () => {
    const over = (): unknown => jsonResponse(200, { a: 'x'.repeat(16_384) }, 16_384)
    expect(over).toThrow(ProtocolError)
    expect(over).toThrow(expect.objectContaining({ code: 'too_large' }))
  })

  it('over 2 MiB is refused as too_large', () => {
    const over = (): unknown => jsonResponse(200, { a: 'x'.repeat(2 * 1024 * 1024) })
    expect(over).toThrow(expect.objectContaining({ code: 'too_large' }))
  })
})
