import { AttestationError, type Collector, parseReport } from '@parley/attestation'
import { equalBytes, type Hardware, toBase64url } from '@parley/protocol'
import { RelayError } from '../relay-error.js'
import { sortChain } from './sort-chain.js'

/**
 * One report over 64 octets of REPORT_DATA, with the certificates that verify it.
 * @throws RelayError `report_failed` if the platform gave none that can be read, `report_data_mismatch`,
 * `collateral_missing`
 */
export async function collectHardware(collector: Collector, reportData: Uint8Array): Promise<Hardware> {
  try {
    const { report, certificates, crl } = await collector.collect(reportData)
    const { report_data, signer_info } = parseReport(report)
    // The interface to the processor is a shared directory: somebody else's report may have come back.
    if (!equalBytes(report_data, reportData))
      throw new RelayError('report_data_mismatch', 'the report is not about what was asked')
    const chain = sortChain(certificates, signer_info.signing_key)
    return {
      report: toBase64url(report),
      leaf_certificate: toBase64url(chain.leaf),
      intermediate_certificate: toBase64url(chain.intermediate),
      root_certificate: toBase64url(chain.root),
      crl: crl === undefined ? null : toBase64url(crl),
      firmware_endorsement: null,
      boot_evidence: null,
    }
  } catch (error) {
    throw asRelayError(error)
  }
}

function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error
  if (!(error instanceof AttestationError)) return new RelayError('report_failed', 'the collector failed')
  if (error.code === 'collateral_missing') return new RelayError('collateral_missing', error.message)
  return new RelayError('report_failed', `${error.code}: ${error.message}`)
}
