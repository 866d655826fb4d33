import { type KeyObject, sign } from 'node:crypto'

const REPORT_BYTES = 1184
const SIGNATURE_AT = 0x2a0
const FIELD_BYTES = 72
const SCALAR_BYTES = 48

/**
 * A whole report: the body and its signature as firmware writes it, r and s little-endian in 72 bytes each. Nothing is
 * done about a high s, as on real chips.
 */
export const signReport = (body: Uint8Array, key: KeyObject): Uint8Array => {
  const signature = sign('sha384', body, { key, dsaEncoding: 'ieee-p1363' })
  const report = new Uint8Array(REPORT_BYTES)
  report.set(body)
  report.set(new Uint8Array(signature.subarray(0, SCALAR_BYTES)).reverse(), SIGNATURE_AT)
  report.set(new Uint8Array(signature.subarray(SCALAR_BYTES)).reverse(), SIGNATURE_AT + FIELD_BYTES)
  return report
}
