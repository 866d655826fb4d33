import { parseCertificate, TABLE_GUID } from '../../src/index.js'

const ROW_BYTES = 24

const guidOf = (der: Uint8Array): string => {
  const { leaf, subject } = parseCertificate(der)
  if (leaf !== null) return TABLE_GUID[leaf.kind]
  return subject.commonName.startsWith('ARK-') ? TABLE_GUID.ark : TABLE_GUID.ask
}

/** A certificate table as a host would lay it out. */
export const tableOf = (certificates: readonly Uint8Array[]): Uint8Array => {
  const header = new Uint8Array((certificates.length + 1) * ROW_BYTES)
  const view = new DataView(header.buffer)
  let offset = header.length
  for (const [at, der] of certificates.entries()) {
    header.set(Buffer.from(guidOf(der).replaceAll('-', ''), 'hex'), at * ROW_BYTES)
    view.setUint32(at * ROW_BYTES + 16, offset, true)
    view.setUint32(at * ROW_BYTES + 20, der.length, true)
    offset += der.length
  }
  return new Uint8Array(Buffer.concat([header, ...certificates]))
}
