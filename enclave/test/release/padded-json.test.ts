import { type JsonObject, ProtocolError } from '@parley/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromPaddedJson, toPaddedJson } from '../../src/release/padded-json.js'

describe('padded JSON', () => {
  it('comes back as it was, in the length that was asked for', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue(), { noNullPrototype: true }),
        (value) => {
          const record = JSON.parse(JSON.stringify(value)) as JsonObject
          const padded = toPaddedJson(record, 100_000)
          expect(padded.length).toBe(100_000)
          expect(fromPaddedJson(padded)).toEqual(record)
        },
      ),
    )
  })

  it('fits exactly, or not at all', () => {
    expect(fromPaddedJson(toPaddedJson({ a: 1 }, 7))).toEqual({ a: 1 })
    expect(() => toPaddedJson({ a: 1 }, 6)).toThrow(RangeError)
  })

  it.each(['', '{', '{"a":1}x', '{"a": 1}'])('%j is refused', (text) => {
    const padded = new Uint8Array(20)
    padded.set(new TextEncoder().encode(text))
    expect(() => fromPaddedJson(padded)).toThrow(ProtocolError)
  })
})
