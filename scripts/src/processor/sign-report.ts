import { type KeyObject, sign } from 'node:crypto'

const REPORT_BYTES = 1184
const SIGNATURE_AT = 0x2a0
const SIGNATURE_BYTES = 512
const FIELD_BYTES = 72
const SCALAR_BYTES = 48

/**
 * A SIGNATURE as AMD's structures hold it: r and s little-endian in 72 bytes each, then zeros. Nothing is done about a
 * high s, as on real chips.
 */
export const signatureField = (data: Uint8Array, key: KeyObject): Uint8Array => {
  const signature = new Uint8Array(sign('sha384', data, { key, dsaEncoding: 'ieee-p1363' }))
  const field = new Uint8Array(SIGNATURE_BYTES)
  field.set(signature.slice(0, SCALAR_BYTES).reverse())
  field.set(signature.slice(SCALAR_BYTES).reverse(), FIELD_BYTES)
  return field
}

/** A whole report: the body and its signature as firmware writes it. */
export const signReport = (body: Uint8Array, key: KeyObject): Uint8Array => {
  const report = new Uint8Array(REPORT_BYTES)
  report.set(body)
  report.set(signatureField(body, key), SIGNATURE_AT)
  return report
}
