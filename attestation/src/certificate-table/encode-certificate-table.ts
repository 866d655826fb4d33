import { AttestationError } from '../errors.js'
import { bytesOf } from '../hex.js'
import { MAX_ENTRIES, MAX_TABLE_BYTES, ROW_BYTES, type TableEntry } from './parse-certificate-table.js'

/** An entry before it is laid out. */
export type TableRow = Pick<TableEntry, 'guid' | 'data'>

const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NO_GUID = '00000000-0000-0000-0000-000000000000'

const unusable = (what: string): AttestationError => new AttestationError('argument_invalid', what)

const check = (rows: readonly TableRow[], size: number): void => {
  if (rows.length > MAX_ENTRIES) throw unusable(`a table has at most ${MAX_ENTRIES} entries`)
  if (size > MAX_TABLE_BYTES) throw unusable(`a table has at most ${MAX_TABLE_BYTES} bytes`)
  if (new Set(rows.map(({ guid }) => guid)).size < rows.length) throw unusable('an entry occurs twice')
  if (rows.some(({ data }) => data.length === 0)) throw unusable('an entry is empty')
  if (rows.some(({ guid }) => !GUID.test(guid) || guid === NO_GUID)) throw unusable('an entry has no GUID')
}

/**
 * A certificate table of entries, in their order: what `parseCertificateTable` reads.
 * @param rows at most 16, each with another GUID in lower case, none empty; 64 KiB in all
 * @throws AttestationError argument_invalid
 * @see AMD 56421 (GHCB), SNP Extended Guest Request
 */
export const encodeCertificateTable = (rows: readonly TableRow[]): Uint8Array => {
  const header = (rows.length + 1) * ROW_BYTES
  const size = rows.reduce((sum, { data }) => sum + data.length, header)
  check(rows, size)
  const table = new Uint8Array(size)
  const view = new DataView(table.buffer)
  let offset = header
  for (const [index, { guid, data }] of rows.entries()) {
    const at = index * ROW_BYTES
    table.set(bytesOf(guid.replaceAll('-', '')), at)
    view.setUint32(at + 16, offset, true)
    view.setUint32(at + 20, data.length, true)
    table.set(data, offset)
    offset += data.length
  }
  return table
}
