import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DerReader, readSmallInteger, TAG } from '../../src/certificate/der.js'
import { AttestationError } from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'

const octets = (length: readonly number[], content: number): Uint8Array =>
  Uint8Array.of(TAG.octetString, ...length, ...new Array<number>(content).fill(7))

const read = (bytes: Uint8Array): Promise<string | null> =>
  codeOf(() => {
    const reader = new DerReader(bytes)
    reader.content(TAG.octetString)
    reader.finish('the test')
  })

describe('DER', () => {
  it.each<[string, Uint8Array]>([
    ['a short length', octets([5], 5)],
    ['no content', octets([0], 0)],
    ['the longest short length', octets([0x7f], 0x7f)],
    ['a length of one more byte', octets([0x81, 0x80], 0x80)],
    ['a length of two more bytes', octets([0x82, 1, 0], 256)],
  ])('with %s is read', async (_, bytes) => {
    expect(await read(bytes)).toBeNull()
  })

  it.each<[string, Uint8Array]>([
    ['nothing in it', new Uint8Array()],
    ['a tag alone', Uint8Array.of(TAG.octetString)],
    ['another tag', Uint8Array.of(TAG.integer, 1, 0)],
    ['the same tag, constructed', Uint8Array.of(0x24, 1, 0)],
    ['an indefinite length', octets([0x80], 2)],
    ['a length in one more byte that needs none', octets([0x81, 5], 5)],
    ['a length in two more bytes that needs one', octets([0x82, 0, 0x80], 0x80)],
    ['a length in three bytes', octets([0x83, 0, 1, 0], 256)],
    ['a length in five bytes', octets([0x85, 0, 0, 0, 0, 1], 1)],
    ['a length cut short', Uint8Array.of(TAG.octetString, 0x82, 1)],
    ['less content than said', octets([6], 5)],
    ['more content than said', octets([4], 5)],
  ])('with %s is refused', async (_, bytes) => {
    expect(await read(bytes)).toBe('certificate_malformed')
  })

  it('does not let an inner element reach behind the one that holds it', async () => {
    const bytes = Uint8Array.of(TAG.sequence, 3, TAG.octetString, 2, 1, 2)
    expect(await codeOf(() => new DerReader(bytes).enter(TAG.sequence).content(TAG.octetString))).toBe(
      'certificate_malformed',
    )
  })

  it('of any content comes back whole', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 70_000 }), (content) => {
        const { length } = content
        const head =
          length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
        const bytes = Uint8Array.from([TAG.octetString, ...head, ...content])
        if (length > 0xffff) return
        expect(new DerReader(bytes).content(TAG.octetString)).toEqual(content)
        expect(new DerReader(bytes).element(TAG.octetString)).toEqual(bytes)
      }),
      { numRuns: 50 },
    )
  })

  it('is refused by its own code or read, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.constantFrom(...Object.values(TAG)), (bytes, tag) => {
        try {
          expect(new DerReader(bytes).content(tag).length).toBeLessThanOrEqual(bytes.length)
        } catch (error) {
          expect(error).toBeInstanceOf(AttestationError)
        }
      }),
    )
  })
})

describe('an INTEGER of one byte', () => {
  it.each([
    [[0], 0],
    [[0x7f], 127],
    [[0, 0x80], 128],
    [[0, 0xff], 255],
  ])('%j is %i', (content, value) => {
    expect(readSmallInteger(Uint8Array.from(content))).toBe(value)
  })

  it.each([[[]], [[0x80]], [[0xff]], [[0, 0x7f]], [[0, 0]], [[1, 0]], [[0, 0x80, 0]], [[0xff, 0x80]]])(
    '%j is refused',
    async (content) => {
      expect(await codeOf(() => readSmallInteger(Uint8Array.from(content)))).toBe('certificate_malformed')
    },
  )
})
