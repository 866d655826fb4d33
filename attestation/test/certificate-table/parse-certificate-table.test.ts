import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AttestationError,
  parseCertificateTable,
  parseQuote,
  TABLE_GUID,
  tableCertificates,
} from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'

const ROW_BYTES = 24

const encode = (entries: readonly { guid: string; data: Uint8Array }[]): Uint8Array => {
  const header = (entries.length + 1) * ROW_BYTES
  const table = new Uint8Array(header + entries.reduce((sum, { data }) => sum + data.length, 0))
  const view = new DataView(table.buffer)
  let offset = header
  for (const [index, { guid, data }] of entries.entries()) {
    table.set(Buffer.from(guid.replaceAll('-', ''), 'hex'), index * ROW_BYTES)
    view.setUint32(index * ROW_BYTES + 16, offset, true)
    view.setUint32(index * ROW_BYTES + 20, data.length, true)
    table.set(data, offset)
    offset += data.length
  }
  return table
}

const entry = fc.record({ guid: fc.uuid(), data: fc.uint8Array({ minLength: 1, maxLength: 64 }) })
const entries = fc.uniqueArray(entry, { maxLength: 16, selector: ({ guid }) => guid })

describe('a certificate table', () => {
  it('gives back what was put into it, known or not', () => {
    fc.assert(
      fc.property(entries, fc.nat({ max: 100 }), (put, padding) => {
        const table = new Uint8Array([...encode(put), ...new Uint8Array(padding)])
        expect(parseCertificateTable(table).map(({ guid, data }) => ({ guid, data }))).toEqual(put)
      }),
    )
  })

  it('names the entries that are known, and hands out the certificates among them', () => {
    const data = Uint8Array.of(1)
    const guids = [
      TABLE_GUID.vcek,
      TABLE_GUID.crl,
      TABLE_GUID.ask,
      TABLE_GUID.ark,
      '00112233-4455-6677-8899-aabbccddeeff',
    ]
    const table = parseCertificateTable(encode(guids.map((guid) => ({ guid, data }))))
    expect(table.map(({ name }) => name)).toEqual(['vcek', 'crl', 'ask', 'ark', null])
    expect(tableCertificates(table)).toHaveLength(3)
  })

  it.each([0, 24, 48, 4096, 16384])('of %i zeros is empty', (size) => {
    expect(parseCertificateTable(new Uint8Array(size))).toEqual([])
  })

  it('over 64 KiB is refused unread', async () => {
    expect(await codeOf(() => parseCertificateTable(new Uint8Array(65537)))).toBe(
      'certificate_table_malformed',
    )
  })

  it('is refused by its own code or read, whatever the bytes, and never reaches outside', () => {
    fc.assert(
      fc.property(
        entries,
        fc.array(fc.tuple(fc.nat({ max: 500 }), fc.nat({ max: 255 })), { maxLength: 6 }),
        (put, writes) => {
          const table = encode(put)
          for (const [at, byte] of writes) if (at < table.length) table[at] = byte
          try {
            const size = parseCertificateTable(table).reduce((sum, { data }) => sum + data.length, 0)
            expect(size).toBeLessThanOrEqual(table.length)
          } catch (error) {
            expect(error).toBeInstanceOf(AttestationError)
            expect(error).toHaveProperty('code', 'certificate_table_malformed')
          }
        },
      ),
      { numRuns: 1000 },
    )
  })
})

describe('a quote', () => {
  it('is a report and a table', () => {
    const table = encode([{ guid: TABLE_GUID.ark, data: Uint8Array.of(7) }])
    const quote = parseQuote(new Uint8Array([...new Uint8Array(1184).fill(1), ...table]))
    expect(quote.report).toEqual(new Uint8Array(1184).fill(1))
    expect(quote.table.map(({ name }) => name)).toEqual(['ark'])
  })

  it('shorter than a report is refused', async () => {
    expect(await codeOf(() => parseQuote(new Uint8Array(1183)))).toBe('report_malformed')
  })
})
