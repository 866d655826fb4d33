import { AttestationError } from '../../errors.js'
import type { RawReport } from '../assemble-report.js'
import { checkReport, checkReportData } from '../check-report.js'
import { type ReportRequest, withReportRequest } from './report-request.js'
import { type SvsmService, svsmReportData, writeService } from './svsm-service.js'
import type { TsmFiles } from './tsm-files.js'

/** Where and how a report is asked for. */
export type TsmOptions = {
  /** The report directory of configfs-tsm. */
  readonly directory: string
  /** VMPL to ask for, 0 to 3; null for the most privileged that the kernel may ask for. */
  readonly privilegeLevel: number | null
  /** Services of an SVSM to attest; none where absent. */
  readonly service?: SvsmService
  readonly files: TsmFiles
}

/** What the kernel gave. */
export type TsmReport = RawReport & {
  /** The manifest of the SVSM's services; null where none was asked for. */
  readonly manifest: Uint8Array | null
}

type Ask = Omit<TsmOptions, 'directory' | 'files'> & { readonly reportData: Uint8Array }

// Under an SVSM the kernel holds no key of the lowest levels, and the firmware refuses them when the report is read.
const writeLevel = async (request: ReportRequest, wanted: number | null): Promise<number> => {
  const floor = await request.readNumber('privlevel_floor')
  const level = wanted ?? Number(floor)
  if (level < floor) {
    throw new AttestationError('privilege_level_refused', `VMPL ${level} is under the floor, ${floor}`)
  }
  if (wanted === null && level === 0) return 0
  await request.write('privlevel', String(level))
  return 1
}

const writeAll = async (request: ReportRequest, ask: Ask): Promise<number> => {
  const levels = await writeLevel(request, ask.privilegeLevel)
  const services = ask.service === undefined ? 0 : await writeService(request, ask.service)
  await request.write('inblob', ask.reportData)
  return levels + services + 1
}

// What a write changed is seen by this number alone: the kernel hides errors that come up when a file is closed.
const checkGeneration = async (request: ReportRequest, expected: bigint, what: string): Promise<void> => {
  if ((await request.readNumber('generation')) === expected) return
  throw new AttestationError('generation_changed', what)
}

const ask = async (request: ReportRequest, asked: Ask): Promise<TsmReport> => {
  const before = await request.readNumber('generation')
  const expected = before + BigInt(await writeAll(request, asked))
  await checkGeneration(request, expected, 'a write was lost, or somebody else wrote')
  const report = await request.readBytes('outblob')
  const certificateTable = await request.readBytes('auxblob')
  const manifest = asked.service === undefined ? null : await request.readBytes('manifestblob')
  // Somebody who wrote in between would have had another report made for the second read.
  await checkGeneration(request, expected, 'somebody else wrote while the report was read')
  return { report, certificateTable, manifest }
}

/**
 * A fresh report by Linux's configfs-tsm interface, by file operations alone.
 * @param reportData 64 bytes; the nonce, where services of an SVSM are attested
 * @throws AttestationError argument_invalid; codes of class collection
 * @see Linux, Documentation/ABI/testing/configfs-tsm; AMD 58019, Attestation Protocol
 */
export const collectFromConfigfsTsm = async (
  reportData: Uint8Array,
  options: TsmOptions,
): Promise<TsmReport> => {
  checkReportData(reportData)
  const { directory, files, ...how } = options
  const collected = await withReportRequest(files, directory, (request) =>
    ask(request, { ...how, reportData }),
  )
  const { report, manifest } = collected
  checkReport(report, manifest === null ? reportData : svsmReportData(reportData, manifest))
  return collected
}
