import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromHex } from '../src/bytes.js'
import { pointDefect } from '../src/ed25519-point.js'

const nobleAccepts = (bytes: Uint8Array): boolean => {
  try {
    return !ed25519.Point.fromBytes(bytes, false).isSmallOrder()
  } catch {
    return false
  }
}

describe('pointDefect', () => {
  it('agrees with noble on any 32 bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (bytes) => {
        expect(pointDefect(bytes) === undefined).toBe(nobleAccepts(bytes))
      }),
      { numRuns: 200 },
    )
  })

  it('finds nothing wrong with the key of any seed, under either sign', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (seed) => {
        const key = ed25519.getPublicKey(seed)
        const negated = key.map((octet, i) => (i === 31 ? octet ^ 0x80 : octet))
        expect([pointDefect(key), pointDefect(negated)]).toEqual([undefined, undefined])
      }),
      { numRuns: 20 },
    )
  })

  it.each([
    ['y is not canonical', 'f'.repeat(62) + '7f'],
    ['the point has small order', '01' + '00'.repeat(31)],
    ['the point is not on the curve', '02' + '00'.repeat(31)],
  ])('says that %s', (defect, hex) => {
    expect(pointDefect(fromHex(hex))).toBe(defect)
  })
})
