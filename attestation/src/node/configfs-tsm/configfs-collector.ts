import type { Collector } from '../../collector.js'
import { assembleReport } from '../assemble-report.js'
import type { AtHand } from '../read-collateral.js'
import { collectFromConfigfsTsm, type TsmOptions } from './collect-from-configfs-tsm.js'
import { withReportRequest } from './report-request.js'

/**
 * Collects by configfs-tsm. Fails where the kernel has no provider of SNP reports; there is nothing that it falls
 * back to.
 * @param more what to use beside what the host hands over
 * @throws AttestationError provider_missing, provider_unexpected, collector_forbidden
 */
export const configfsCollector = async (
  options: Omit<TsmOptions, 'service'>,
  more: AtHand,
): Promise<Collector> => {
  await withReportRequest(options.files, options.directory, () => Promise.resolve())
  return {
    platform: 'sev-snp',
    collect: async (reportData) => assembleReport(await collectFromConfigfsTsm(reportData, options), more),
  }
}
