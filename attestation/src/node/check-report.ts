import { equalBytes } from '../equal-bytes.js'
import { AttestationError } from '../errors.js'
import { LAYOUT, REPORT_BYTES } from '../report/layout.js'

/**
 * REPORT_DATA to ask for has 64 bytes: drivers take less and fail later, or pad it.
 * @throws AttestationError argument_invalid
 */
export const checkReportData = (reportData: Uint8Array): void => {
  const { size } = LAYOUT.REPORT_DATA
  if (reportData.length === size) return
  throw new AttestationError('argument_invalid', `REPORT_DATA has ${size} bytes, not ${reportData.length}`)
}

/**
 * What came back is a report, and over what was asked for. An empty answer is none: drivers have given one and called
 * it success.
 * @throws AttestationError collector_failed, report_data_changed
 */
export const checkReport = (report: Uint8Array, reportData: Uint8Array): void => {
  if (report.length !== REPORT_BYTES) {
    throw new AttestationError('collector_failed', `a report has ${REPORT_BYTES} bytes, not ${report.length}`)
  }
  const { offset, size } = LAYOUT.REPORT_DATA
  if (equalBytes(report.subarray(offset, offset + size), reportData)) return
  throw new AttestationError('report_data_changed', 'the report is over other REPORT_DATA than asked for')
}
