import { parseCertificate, TABLE_GUID } from '../../src/index.js'

const ROW_BYTES = 24

/** One entry of a table, before it is laid out. */
export type Row = { readonly guid: string; readonly data: Uint8Array }

const guidOf = (der: Uint8Array): string => {
  const { leaf, subject } = parseCertificate(der)
  if (leaf !== null) return TABLE_GUID[leaf.kind]
  return subject.commonName.startsWith('ARK-') ? TABLE_GUID.ark : TABLE_GUID.ask
}

/** A certificate table as a host would lay it out. */
export const tableOfRows = (rows: readonly Row[]): Uint8Array => {
  const header = new Uint8Array((rows.length + 1) * ROW_BYTES)
  const view = new DataView(header.buffer)
  let offset = header.length
  for (const [at, { guid, data }] of rows.entries()) {
    header.set(Buffer.from(guid.replaceAll('-', ''), 'hex'), at * ROW_BYTES)
    view.setUint32(at * ROW_BYTES + 16, offset, true)
    view.setUint32(at * ROW_BYTES + 20, data.length, true)
    offset += data.length
  }
  return new Uint8Array(Buffer.concat([header, ...rows.map(({ data }) => data)]))
}

/** The same, of certificates. */
export const tableOf = (certificates: readonly Uint8Array[]): Uint8Array =>
  tableOfRows(certificates.map((data) => ({ guid: guidOf(data), data })))
