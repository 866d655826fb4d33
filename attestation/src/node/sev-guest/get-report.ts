import { succeeded } from './exit-info.js'
import { readReportResponse } from './report-response.js'
import { reportRequest } from './request-bytes.js'
import { COMMAND, REPORT_REQ, REPORT_RESP } from './request-layout.js'
import type { SevGuestDevice } from './sev-guest-device.js'

/**
 * A report without the host's certificates (SNP_GET_REPORT).
 * @throws AttestationError of class collection
 */
export const getReport = async (
  device: SevGuestDevice,
  reportData: Uint8Array,
  vmpl: number,
): Promise<Uint8Array> => {
  const { response } = succeeded(
    await device.exchange({
      command: COMMAND.SNP_GET_REPORT,
      request: reportRequest(REPORT_REQ.size, reportData, vmpl),
      responseBytes: REPORT_RESP.size,
      certificateBytes: 0,
    }),
  )
  return readReportResponse(response)
}
