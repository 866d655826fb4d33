import { isZero } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { toHex } from '../hex.js'
import { type TableEntryName, tableEntryName } from './guids.js'

/** One entry of a certificate table. Entries that nobody here knows are kept, without a name. */
export type TableEntry = {
  readonly guid: string
  readonly name: TableEntryName | null
  readonly data: Uint8Array
}

type Row = { readonly guid: string; readonly offset: number; readonly length: number }

/** A row of the header: GUID, offset, length. */
export const ROW_BYTES = 24
const GUID_BYTES = 16
/** The most entries of a table. */
export const MAX_ENTRIES = 16
/** The most bytes of a table. */
export const MAX_TABLE_BYTES = 65536

const malformed = (what: string): AttestationError =>
  new AttestationError('certificate_table_malformed', what)

// The sixteen bytes stand in the order of the text (RFC 4122), not in Microsoft's mixed order.
const readGuid = (bytes: Uint8Array): string =>
  toHex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const readRows = (table: Uint8Array): Row[] => {
  const view = new DataView(table.buffer, table.byteOffset, table.byteLength)
  const rows: Row[] = []
  for (let at = 0; ; at += ROW_BYTES) {
    const row = table.subarray(at, at + ROW_BYTES)
    if (row.length < ROW_BYTES) throw malformed('the table ends before its terminator')
    if (isZero(row)) return rows
    if (rows.length === MAX_ENTRIES) throw malformed(`more than ${MAX_ENTRIES} entries`)
    const guid = readGuid(row.subarray(0, GUID_BYTES))
    rows.push({ guid, offset: view.getUint32(at + 16, true), length: view.getUint32(at + 20, true) })
  }
}

// Sums are of plain numbers, which do not wrap at 32 bits as the kernel's and Go's do.
const checkPlacement = (table: Uint8Array, rows: readonly Row[]): void => {
  let end = (rows.length + 1) * ROW_BYTES
  for (const { offset, length } of rows.toSorted((left, right) => left.offset - right.offset)) {
    if (length === 0) throw malformed('an entry is empty')
    if (offset < end) throw malformed('entries overlap each other or the header')
    if (offset + length > table.length) throw malformed('an entry ends after the table')
    if (!isZero(table.subarray(end, offset))) throw malformed('bytes that belong to no entry')
    end = offset + length
  }
  if (!isZero(table.subarray(end))) throw malformed('bytes after the last entry')
}

/**
 * The entries of a GHCB certificate table, as `auxblob` and SNP_GET_EXT_REPORT give it. No byte of a table is read
 * that is not inside it, entries do not overlap, and no identifier occurs twice.
 * @param table up to 64 KiB; empty, or all zeros, where the host gives no certificates
 * @throws AttestationError certificate_table_malformed
 * @see AMD 56421 (GHCB), SNP Extended Guest Request
 */
export const parseCertificateTable = (table: Uint8Array): TableEntry[] => {
  if (table.length > MAX_TABLE_BYTES) throw malformed(`a table has over ${MAX_TABLE_BYTES} bytes`)
  if (table.length === 0) return []
  const rows = readRows(table)
  checkPlacement(table, rows)
  if (new Set(rows.map(({ guid }) => guid)).size < rows.length) throw malformed('an entry occurs twice')
  return rows.map(({ guid, offset, length }) => ({
    guid,
    name: tableEntryName(guid),
    data: new Uint8Array(table.subarray(offset, offset + length)),
  }))
}
