import { ProtocolError, toHex } from '@parley/protocol'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CborTag, type CborValue, decodeCbor, encodeCbor } from '../../src/results/index.js'

const hex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'))

const codeOf = (act: () => unknown): string | null => {
  try {
    act()
    return null
  } catch (error) {
    if (error instanceof ProtocolError) return error.code
    throw error
  }
}

// RFC 8949, Appendix A, and the borders of each length.
const FORMS: readonly (readonly [string, CborValue])[] = [
  ['00', 0],
  ['17', 23],
  ['1818', 24],
  ['18ff', 255],
  ['190100', 256],
  ['1903e8', 1000],
  ['1a000f4240', 1_000_000],
  ['1affffffff', 0xff_ff_ff_ff],
  ['1b0000000100000000', 0x1_00_00_00_00],
  ['1b001fffffffffffff', Number.MAX_SAFE_INTEGER],
  ['20', -1],
  ['3903e7', -1000],
  ['3affffffff', -0x1_00_00_00_00],
  ['3b0000000100000000', -0x1_00_00_00_01],
  ['f4', false],
  ['f5', true],
  ['f6', null],
  ['40', new Uint8Array(0)],
  ['4401020304', Uint8Array.of(1, 2, 3, 4)],
  ['60', ''],
  ['6449455446', 'IETF'],
  ['62c3bc', 'ü'],
  ['80', []],
  ['83010203', [1, 2, 3]],
  ['a0', new Map()],
  [
    'a201020304',
    new Map([
      [1, 2],
      [3, 4],
    ]),
  ],
  ['d28101', new CborTag(18, [1])],
]

describe('encodeCbor and decodeCbor', () => {
  it.each(FORMS)('%s is the one form of its value', (form, value) => {
    expect(toHex(encodeCbor(value))).toBe(form)
    expect(decodeCbor(hex(form))).toEqual(value)
  })

  it('sorts keys by their bytes: short integers, long ones, negative ones, texts', () => {
    const map = new Map<number | string, CborValue>([
      ['b', 1],
      ['aa', 2],
      [-1, 3],
      [100, 4],
      [10, 5],
    ])
    // RFC 8949 §4.2.1 gives this order.
    expect(toHex(encodeCbor(map))).toBe('a50a05186404200361620162616102')
  })

  it('writes the shortest length, whatever a text is made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
        const size = new TextEncoder().encode(text).length
        const head = size < 24 ? 1 : size < 256 ? 2 : 3
        expect(encodeCbor(text).length).toBe(head + size)
      }),
    )
  })

  const value: fc.Arbitrary<CborValue> = fc.letrec<{ value: CborValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.maxSafeInteger(),
      fc.string({ unit: 'binary' }),
      fc.boolean(),
      fc.constant(null),
      fc.uint8Array({ maxLength: 300 }),
      fc.array(tie('value'), { maxLength: 30 }),
      fc
        .array(fc.tuple(fc.oneof(fc.maxSafeInteger(), fc.string()), tie('value')), { maxLength: 30 })
        .map((entries) => new Map(entries)),
      tie('value').map((each) => new CborTag(61, each)),
    ),
  })).value

  it('give a value back', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(decodeCbor(encodeCbor(given))).toEqual(given)
      }),
    )
  })

  it('refuse any bytes by our own error, or give the same bytes back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        const decoded: CborValue[] = []
        const code = codeOf(() => decoded.push(decodeCbor(bytes)))
        if (code === null) expect(encodeCbor(decoded[0] ?? null)).toEqual(bytes)
        else expect(code).toBe('encoding_malformed')
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['a key twice', 'a201020103'],
    ['keys in another order', 'a203040102'],
    ['an integer longer than it has to be', '1801'],
    ['a length longer than it has to be', '580101'],
    ['an array of indefinite length', '9f01ff'],
    ['a map of indefinite length', 'bf0102ff'],
    ['a byte string of indefinite length', '5f4101ff'],
    ['a float', 'f93c00'],
    ['an integer as a float', 'fb41f0000000000000'],
    ['an integer beyond 2^53', '1b0020000000000001'],
    ['undefined', 'f7'],
    ['a simple value without a meaning', 'e0'],
    ['a date', 'c11a514b67b0'],
    ['a bignum', 'c24101'],
    ['a shared reference', 'd81c8101'],
    ['a key that is an array', 'a1810102'],
    ['text that is no UTF-8', '61ff'],
    ['bytes after the value', '0000'],
    ['bytes that are missing', '4301'],
    ['nothing', ''],
    ['an array of 2^32 items', '9b000000ffffffff'],
    ['arrays nested a thousand times', `${'81'.repeat(1000)}00`],
    ['arrays nested too deeply to recurse', `${'81'.repeat(60_000)}00`],
  ])('refuse %s as encoding_malformed', (_, text) => {
    expect(codeOf(() => decodeCbor(hex(text)))).toBe('encoding_malformed')
  })

  it('refuse more than 64 KiB as too_large', () => {
    expect(codeOf(() => decodeCbor(new Uint8Array(65_537)))).toBe('too_large')
  })

  it.each<[string, CborValue]>([
    ['a fraction', 0.5],
    ['a number beyond 2^53', 2 ** 53],
    ['no number', Number.NaN],
  ])('have no form for %s', (_, given) => {
    expect(codeOf(() => encodeCbor(given))).toBe('encoding_malformed')
  })
})
