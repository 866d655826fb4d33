import type { Collector } from '../../collector.js'
import { assembleReport, type RawReport } from '../assemble-report.js'
import { checkReport, checkReportData } from '../check-report.js'
import type { AtHand } from '../read-collateral.js'
import { deriveKey } from './derive-key.js'
import { getExtendedReport } from './get-extended-report.js'
import { getReport } from './get-report.js'
import { type OpenSevGuest, type SevGuestDevice, withDevice } from './sev-guest-device.js'

/** Where and how a report is asked for. */
export type SevGuestOptions = {
  /** The device. */
  readonly path: string
  /** VMPL to ask for, 0 to 3; null for the most privileged, 0. The driver does not tell which it may ask for. */
  readonly privilegeLevel: number | null
  /** Whether the host is asked for its certificates too. */
  readonly hostCertificates: boolean
  readonly open: OpenSevGuest
}

const askFor = async (
  device: SevGuestDevice,
  reportData: Uint8Array,
  { privilegeLevel, hostCertificates }: SevGuestOptions,
): Promise<RawReport> => {
  const level = privilegeLevel ?? 0
  if (hostCertificates) return getExtendedReport(device, reportData, level)
  return { report: await getReport(device, reportData, level), certificateTable: new Uint8Array() }
}

/**
 * Collects by the driver's device, for kernels without configfs-tsm. There is nothing that it falls back to.
 * @param more what to use beside what the host hands over
 * @throws AttestationError provider_missing, collector_forbidden, collector_failed where the device can't be opened
 */
export const sevGuestCollector = async (options: SevGuestOptions, more: AtHand): Promise<Collector> => {
  const { open, path } = options
  await withDevice(open, path, () => Promise.resolve())
  return {
    platform: 'sev-snp',
    collect: async (reportData) => {
      checkReportData(reportData)
      const raw = await withDevice(open, path, (device) => askFor(device, reportData, options))
      checkReport(raw.report, reportData)
      return assembleReport(raw, more)
    },
    deriveKey: (request) => deriveKey(request, path, open),
  }
}
