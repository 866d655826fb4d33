import { AttestationError } from '../../errors.js'
import { REPORT_BYTES } from '../../report/layout.js'
import { viewOf } from './request-bytes.js'
import { REPORT_RESP } from './request-layout.js'

// AMD 56860, status codes: the VMPL that was asked for needs another key than this guest has.
const INVALID_PARAM = 0x16
const INVALID_KEY = 0x27

const checkStatus = (status: number): void => {
  if (status === 0) return
  const code =
    status === INVALID_PARAM || status === INVALID_KEY ? 'privilege_level_refused' : 'firmware_refused'
  throw new AttestationError(code, `MSG_REPORT_RSP has status 0x${status.toString(16)}`)
}

/**
 * The report in a response of the firmware.
 * @throws AttestationError privilege_level_refused, firmware_refused, collector_failed
 */
export const readReportResponse = (response: Uint8Array): Uint8Array => {
  const view = viewOf(response)
  checkStatus(view.getUint32(REPORT_RESP.status, true))
  const size = view.getUint32(REPORT_RESP.report_size, true)
  if (size !== REPORT_BYTES) {
    throw new AttestationError('collector_failed', `a report has ${REPORT_BYTES} bytes, not ${size}`)
  }
  return response.slice(REPORT_RESP.report, REPORT_RESP.report + REPORT_BYTES)
}
