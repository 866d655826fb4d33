import { AttestationError } from '../../errors.js'
import type { RawReport } from '../assemble-report.js'
import { parseExitInfo, succeeded, VMM_ERROR } from './exit-info.js'
import { readReportResponse } from './report-response.js'
import { reportRequest, viewOf } from './request-bytes.js'
import { CERTIFICATES, COMMAND, EXT_REPORT_REQ, REPORT_RESP } from './request-layout.js'
import type { Answer, SevGuestDevice } from './sev-guest-device.js'

const MOST_TRIES = 3

const exchange = (
  device: SevGuestDevice,
  reportData: Uint8Array,
  vmpl: number,
  certificateBytes: number,
): Promise<Answer> => {
  const request = reportRequest(EXT_REPORT_REQ.size, reportData, vmpl)
  viewOf(request).setUint32(EXT_REPORT_REQ.certs_len, certificateBytes, true)
  const command = COMMAND.SNP_GET_EXT_REPORT
  return device.exchange({ command, request, responseBytes: REPORT_RESP.size, certificateBytes })
}

const isTooSmall = ({ errno, exitInfo2 }: Answer): boolean =>
  errno !== null && parseExitInfo(exitInfo2).vmm === VMM_ERROR.INVALID_LEN

// The host's wish is a number from outside: it has to grow, in whole pages, up to what a table may have.
const wantedSize = ({ request }: Answer, size: number): number => {
  const wanted = viewOf(request).getUint32(EXT_REPORT_REQ.certs_len, true)
  const { page, most } = CERTIFICATES
  if (wanted > size && wanted <= most && wanted % page === 0) return wanted
  throw new AttestationError(
    'host_refused',
    `the hypervisor wants ${wanted} bytes for certificates, not ${size}`,
  )
}

/**
 * A report with the host's certificates (SNP_GET_EXT_REPORT). Where they need more room, the hypervisor says how much,
 * and is asked again.
 * @throws AttestationError of class collection
 */
export const getExtendedReport = async (
  device: SevGuestDevice,
  reportData: Uint8Array,
  vmpl: number,
): Promise<RawReport> => {
  let size: number = CERTIFICATES.first
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const answer = await exchange(device, reportData, vmpl, size)
    if (!isTooSmall(answer)) {
      const { response, certificates } = succeeded(answer)
      return { report: readReportResponse(response), certificateTable: certificates }
    }
    size = wantedSize(answer, size)
  }
  throw new AttestationError('host_refused', 'the hypervisor wants more room for certificates each time')
}
