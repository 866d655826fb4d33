import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeCertificateTable, parseCertificateTable, type TableRow } from '../../src/index.js'
import { codeOf } from '../evidence-folder.js'
import { tableOfRows } from '../node/table-of.js'

const row = fc.record({ guid: fc.uuid(), data: fc.uint8Array({ minLength: 1, maxLength: 64 }) })
const rows = fc.uniqueArray(row, { maxLength: 16, selector: ({ guid }) => guid })
const ROW: TableRow = { guid: '63da758d-e664-4564-adc5-f4b93be8accd', data: Uint8Array.of(1) }

describe('a certificate table that is laid out', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(rows, (put) => {
        const table = encodeCertificateTable(put)
        expect(parseCertificateTable(table).map(({ guid, data }) => ({ guid, data }))).toEqual(put)
        expect(table).toEqual(tableOfRows(put))
      }),
    )
  })

  it.each<[string, TableRow[]]>([
    [
      'seventeen entries',
      Array.from({ length: 17 }, (_, at) => ({ ...ROW, guid: ROW.guid.replace(/..$/, String(at + 10)) })),
    ],
    ['an entry twice', [ROW, ROW]],
    ['an empty entry', [{ ...ROW, data: new Uint8Array() }]],
    ['a GUID of zeros', [{ ...ROW, guid: '00000000-0000-0000-0000-000000000000' }]],
    ['a GUID in capitals', [{ ...ROW, guid: ROW.guid.toUpperCase() }]],
    ['a GUID without hyphens', [{ ...ROW, guid: ROW.guid.replaceAll('-', '') }]],
    ['no GUID', [{ ...ROW, guid: '' }]],
    ['over 64 KiB', [{ ...ROW, data: new Uint8Array(65536) }]],
  ])('is refused with %s', async (_, put) => {
    expect(await codeOf(() => encodeCertificateTable(put))).toBe('argument_invalid')
  })
})
