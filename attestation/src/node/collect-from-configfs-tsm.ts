import { AttestationError } from '../errors.js'
import { equalBytes } from '../equal-bytes.js'
import { LAYOUT, REPORT_BYTES } from '../report/layout.js'
import { type ReportRequest, withReportRequest } from './report-request.js'
import type { TsmFiles } from './tsm-files.js'

/** Where and how a report is asked for. */
export type TsmOptions = {
  /** The report directory of configfs-tsm. */
  readonly directory: string
  /** VMPL to ask for, 0 to 3; null leaves the kernel's default. */
  readonly privilegeLevel: number | null
  readonly files: TsmFiles
}

/** What the kernel gave. */
export type TsmReport = {
  readonly report: Uint8Array
  /** The GHCB certificate table, perhaps empty. */
  readonly certificateTable: Uint8Array
}

const REPORT_DATA_BYTES = 64

const checkReportData = (reportData: Uint8Array): void => {
  if (reportData.length === REPORT_DATA_BYTES) return
  // The driver takes shorter ones and fails when the report is read.
  throw new AttestationError(
    'argument_invalid',
    `REPORT_DATA has ${REPORT_DATA_BYTES} bytes, not ${reportData.length}`,
  )
}

const ask = async (
  request: ReportRequest,
  reportData: Uint8Array,
  level: number | null,
): Promise<TsmReport> => {
  const before = await request.readGeneration()
  if (level !== null) await request.write('privlevel', String(level))
  await request.write('inblob', reportData)
  const report = await request.readBytes('outblob')
  const certificateTable = await request.readBytes('auxblob')
  const writes = level === null ? 1n : 2n
  // A write that the kernel refused at close left no other trace than this.
  if ((await request.readGeneration()) !== before + writes) {
    throw new AttestationError('generation_changed', 'a write was lost, or somebody else wrote')
  }
  return { report, certificateTable }
}

const checkReport = (report: Uint8Array, reportData: Uint8Array): void => {
  if (report.length !== REPORT_BYTES) {
    throw new AttestationError('collector_failed', `outblob has ${report.length} bytes, not ${REPORT_BYTES}`)
  }
  const { offset, size } = LAYOUT.REPORT_DATA
  if (equalBytes(report.subarray(offset, offset + size), reportData)) return
  throw new AttestationError('report_data_changed', 'the report is over other REPORT_DATA than asked for')
}

/**
 * A fresh report by Linux's configfs-tsm interface, by file operations alone.
 * @param reportData 64 bytes
 * @throws AttestationError argument_invalid; codes of class collection
 * @see Linux, Documentation/ABI/testing/configfs-tsm
 */
export const collectFromConfigfsTsm = async (
  reportData: Uint8Array,
  options: TsmOptions,
): Promise<TsmReport> => {
  checkReportData(reportData)
  const { directory, privilegeLevel, files } = options
  const collected = await withReportRequest(files, directory, (request) =>
    ask(request, reportData, privilegeLevel),
  )
  checkReport(collected.report, reportData)
  return collected
}
