import { TABLE_GUID } from '@parley/attestation'
import { encodeRows, encodeTable, type Row, toPem } from './encodings.js'
import { genuine, type Kit, REPORT_DATA, refused } from './kit.js'
import type { Files, Vector } from './vector.js'

type Entry = readonly [guid: string, data: Uint8Array]

const EXTRA_INFO = Uint8Array.of(8, 0, 0, 0, 2, 15, 128, 0)

const entriesOf = ({
  milan: {
    certificates: [leaf, intermediate, root],
  },
}: Kit): Entry[] =>
  leaf === undefined || intermediate === undefined || root === undefined
    ? []
    : [
        [TABLE_GUID.vcek, leaf],
        [TABLE_GUID.ask, intermediate],
        [TABLE_GUID.ark, root],
      ]

const quote = ({ milan }: Kit, table: Uint8Array): Files => ({
  'quote.bin': Buffer.concat([milan.attest({ reportData: REPORT_DATA }), table]),
  'trusted.der': milan.vendor.root,
})

const TRUSTED = { trustedRoots: ['trusted.der'] }
const UNKNOWN_GUID = '00112233-4455-6677-8899-aabbccddeeff'

const good = (kit: Kit): Vector[] => {
  const entries = entriesOf(kit)
  const pem = entries.map(([guid, der]): Entry => [guid, toPem([der])])
  const padded = Buffer.concat([encodeTable(entries), new Uint8Array(2000)])
  return [
    genuine(
      'quote-der',
      'A report, and a table of DER certificates.',
      quote(kit, encodeTable(entries)),
      TRUSTED,
    ),
    genuine(
      'quote-pem',
      'Some hosts put PEM into the table, the root first.',
      quote(kit, encodeTable(pem.toReversed())),
      TRUSTED,
    ),
    genuine('quote-padded', 'Zeros fill the last page.', quote(kit, padded), TRUSTED),
    genuine(
      'quote-unknown-entry',
      'Entries that nobody knows are kept and mean nothing.',
      quote(
        kit,
        encodeTable([
          ...entries,
          [UNKNOWN_GUID, Uint8Array.of(1)],
          [TABLE_GUID.extra_platform_info, EXTRA_INFO],
        ]),
      ),
      TRUSTED,
    ),
    refused(
      'collateral_missing',
      'quote-without-root',
      'Evidence brings its root along, also where the verifier knows it.',
      quote(kit, encodeTable(entries.slice(0, 2))),
      TRUSTED,
    ),
    refused(
      'collateral_missing',
      'quote-empty-table',
      'A table of zeros holds no certificates.',
      quote(kit, new Uint8Array(4096)),
      TRUSTED,
    ),
    refused(
      'collateral_missing',
      'quote-no-table',
      'A host that hands over nothing.',
      quote(kit, new Uint8Array()),
      TRUSTED,
    ),
  ]
}

const lying = (kit: Kit, name: string, why: string, rows: readonly Row[], data = 64): Vector =>
  refused(
    'certificate_table_malformed',
    name,
    why,
    quote(kit, Buffer.concat([encodeRows(rows), new Uint8Array(data).fill(1)])),
    TRUSTED,
  )

const row = (offset: number, length: number, guid: string = TABLE_GUID.vcek): Row => ({
  guid,
  offset,
  length,
})

const bad = (kit: Kit): Vector[] => [
  lying(kit, 'quote-u32-wrap', 'Offset and length add up to 16 in 32 bits.', [row(48, 0xffffffe0)]),
  lying(kit, 'quote-into-header', 'An entry that starts inside the header.', [row(24, 32)]),
  lying(kit, 'quote-past-end', 'An entry that ends after the table.', [row(48, 65)]),
  lying(kit, 'quote-overlap', 'Two entries over the same bytes.', [
    row(72, 64),
    row(100, 36, TABLE_GUID.ask),
  ]),
  lying(kit, 'quote-gap', 'Bytes that belong to no entry.', [row(64, 48)]),
  lying(kit, 'quote-tail', 'Bytes after the last entry.', [row(48, 32)]),
  lying(kit, 'quote-entry-twice', 'Two leaves: which one would count?', [row(72, 32), row(104, 32)]),
  lying(kit, 'quote-entry-empty', 'An entry of nothing.', [row(72, 64), row(136, 0, TABLE_GUID.ask)]),
  lying(
    kit,
    'quote-17-entries',
    'More entries than any host has.',
    Array.from({ length: 17 }, (_, at) =>
      row(432 + at, 1, UNKNOWN_GUID.replace('00', (16 + at).toString(16))),
    ),
    17,
  ),
  refused(
    'certificate_table_malformed',
    'quote-no-terminator',
    'The table ends before its terminator.',
    quote(kit, encodeRows([row(48, 1)]).subarray(0, 24)),
    TRUSTED,
  ),
  refused(
    'certificate_table_malformed',
    'quote-short-row',
    'The table ends inside a row.',
    quote(kit, encodeRows([row(48, 1)]).subarray(0, 20)),
    TRUSTED,
  ),
  refused(
    'report_malformed',
    'quote-shorter-than-report',
    'Less than a report.',
    { 'quote.bin': new Uint8Array(1183), 'trusted.der': kit.milan.vendor.root },
    TRUSTED,
  ),
]

/** Raw quotes: a report followed by a certificate table. */
export const quoteVectors = (kit: Kit): Vector[] => [...good(kit), ...bad(kit)]
