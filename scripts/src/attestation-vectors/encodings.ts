const LINE = 64

const block = (der: Uint8Array): string => {
  const base64 = Buffer.from(der).toString('base64')
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, 'g')) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

/** Certificates as one PEM file. */
export const toPem = (certificates: readonly Uint8Array[]): Uint8Array =>
  new TextEncoder().encode(certificates.map(block).join(''))

/** A row of a certificate table, which may lie about where its data is. */
export type Row = { readonly guid: string; readonly offset: number; readonly length: number }

const ROW_BYTES = 24

const encodeRow = ({ guid, offset, length }: Row): Uint8Array => {
  const row = new Uint8Array(ROW_BYTES)
  row.set(Buffer.from(guid.replaceAll('-', ''), 'hex'))
  const view = new DataView(row.buffer)
  view.setUint32(16, offset, true)
  view.setUint32(20, length, true)
  return row
}

/** The header of a certificate table, with its terminator. */
export const encodeRows = (rows: readonly Row[]): Uint8Array =>
  Buffer.concat([...rows.map(encodeRow), new Uint8Array(ROW_BYTES)])

/** A certificate table whose data follows its header without gaps. */
export const encodeTable = (entries: readonly (readonly [guid: string, data: Uint8Array])[]): Uint8Array => {
  let offset = (entries.length + 1) * ROW_BYTES
  const rows = entries.map(([guid, { length }]) => {
    const row = { guid, offset, length }
    offset += length
    return row
  })
  return Buffer.concat([encodeRows(rows), ...entries.map(([, data]) => data)])
}
