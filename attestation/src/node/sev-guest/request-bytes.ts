import { REPORT_REQ } from './request-layout.js'

/** A view of the same bytes. */
export const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** A structure of zeros that starts with a snp_report_req. */
export const reportRequest = (size: number, reportData: Uint8Array, vmpl: number): Uint8Array => {
  const request = new Uint8Array(size)
  request.set(reportData, REPORT_REQ.user_data)
  viewOf(request).setUint32(REPORT_REQ.vmpl, vmpl, true)
  return request
}
