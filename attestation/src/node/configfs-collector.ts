import type { Certificate } from '../certificate/parse-certificate.js'
import { readCertificates } from '../certificate/read-certificates.js'
import { parseCertificateTable } from '../certificate-table/parse-certificate-table.js'
import { tableCertificates } from '../certificate-table/table-certificates.js'
import { selectCollateral } from '../chain/select-collateral.js'
import type { CollectedReport, Collector } from '../collector.js'
import { parseReport } from '../report/parse-report.js'
import { collectFromConfigfsTsm, type TsmOptions, type TsmReport } from './collect-from-configfs-tsm.js'
import { readCollateral } from './read-collateral.js'
import { withReportRequest } from './report-request.js'
import { kernelFiles, type TsmFiles } from './tsm-files.js'

/** How to collect; what is left out is as Linux has it by default. */
export type ConfigfsOptions = {
  readonly directory?: string
  readonly privilegeLevel?: number
  /** Certificates to use beside those of the host: some hosts hand over the leaf alone, or nothing. */
  readonly collateralDirectory?: string
  readonly files?: TsmFiles
}

const DIRECTORY = '/sys/kernel/config/tsm/report'

const withCollateral = (
  { report, certificateTable }: TsmReport,
  more: readonly Certificate[],
): CollectedReport => {
  const fromHost = readCertificates(tableCertificates(parseCertificateTable(certificateTable)))
  const certificates = selectCollateral(parseReport(report), [...fromHost, ...more])
  return { report, certificates: certificates.map(({ der }) => der) }
}

/**
 * The collector of a real SEV-SNP guest. Fails where the kernel has no provider of SNP reports; there is nothing that
 * it falls back to.
 * @param options report directory, VMPL, and a directory of certificates (DER or PEM)
 * @throws AttestationError provider_missing, provider_unexpected, collector_forbidden; certificate_malformed
 */
export const configfsCollector = async (options: ConfigfsOptions = {}): Promise<Collector> => {
  const { directory = DIRECTORY, privilegeLevel = null, collateralDirectory, files = kernelFiles } = options
  const tsm: TsmOptions = { directory, privilegeLevel, files }
  await withReportRequest(files, directory, () => Promise.resolve())
  const collateral = collateralDirectory === undefined ? [] : await readCollateral(collateralDirectory)
  return {
    platform: 'sev-snp',
    collect: async (reportData) => withCollateral(await collectFromConfigfsTsm(reportData, tsm), collateral),
  }
}
