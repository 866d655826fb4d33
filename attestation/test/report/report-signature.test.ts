import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseReportSignature } from '../../src/report/report-signature.js'
import { codeOf } from '../evidence-folder.js'

const ORDER =
  0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n

const bigEndian = (value: bigint): Uint8Array =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(96, '0'), 'hex'))

const field = (r: bigint, s: bigint): Uint8Array => {
  const bytes = new Uint8Array(512)
  bytes.set(bigEndian(r).reverse(), 0)
  bytes.set(bigEndian(s).reverse(), 72)
  return bytes
}

describe('the signature of a report', () => {
  it('is r and s in the other byte order, 48 bytes each, whatever leading zeros they have', () => {
    const scalar = fc.bigInt({ min: 1n, max: ORDER - 1n })
    fc.assert(
      fc.property(scalar, scalar, (r, s) => {
        expect(parseReportSignature(field(r, s))).toEqual(Uint8Array.from([...bigEndian(r), ...bigEndian(s)]))
      }),
    )
  })

  it.each([
    ['zero', 0n, false],
    ['one', 1n, true],
    ['half the order, rounded up', ORDER / 2n + 1n, true],
    ['the order less one', ORDER - 1n, true],
    ['the order', ORDER, false],
    ['the order and one', ORDER + 1n, false],
    ['all ones', (1n << 384n) - 1n, false],
  ])('where r or s is %s', async (_, value, good) => {
    const code = good ? null : 'report_signature_invalid'
    expect(await codeOf(() => parseReportSignature(field(value, 1n)))).toBe(code)
    expect(await codeOf(() => parseReportSignature(field(1n, value)))).toBe(code)
  })

  it('has nothing in any byte of its padding', async () => {
    for (let at = 0; at < 512; at++) {
      const padding = at >= 144 || at % 72 >= 48
      const bytes = field(1n, 1n)
      bytes[at] = (bytes[at] ?? 0) | 0x40
      expect(await codeOf(() => parseReportSignature(bytes))).toBe(
        padding ? 'report_signature_invalid' : null,
      )
    }
  })
})
