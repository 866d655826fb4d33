import type { Certificate } from '../certificate/parse-certificate.js'
import { readCertificates } from '../certificate/read-certificates.js'
import { parseCertificateTable, type TableEntry } from '../certificate-table/parse-certificate-table.js'
import { tableCertificates } from '../certificate-table/table-certificates.js'
import { selectCollateral } from '../chain/select-collateral.js'
import type { CollectedReport } from '../collector.js'
import { parseCrl, type RevocationList } from '../crl/parse-crl.js'
import { equalBytes } from '../equal-bytes.js'
import { parseReport } from '../report/parse-report.js'
import type { AtHand } from './read-collateral.js'

/** What an interface of the kernel gave. */
export type RawReport = {
  readonly report: Uint8Array
  /** The GHCB certificate table, perhaps empty. */
  readonly certificateTable: Uint8Array
}

// By name, like the certificates, and of several the newest: at the attester nobody's clock counts.
const selectCrl = (
  table: readonly TableEntry[],
  crls: readonly RevocationList[],
  certificates: readonly Certificate[],
): Pick<CollectedReport, 'crl'> => {
  const fromHost = table.filter(({ name }) => name === 'crl').map(({ data }) => parseCrl(data))
  const [newest] = [...fromHost, ...crls]
    .filter(({ issuer }) => certificates.some(({ subject }) => equalBytes(subject.der, issuer.der)))
    .sort((left, right) => right.thisUpdateMs - left.thisUpdateMs)
  return newest === undefined ? {} : { crl: newest.der }
}

/**
 * A raw report with the certificates that a verifier will need, of those from the host and those at hand.
 * @param more certificates and CRLs beside the host's: some hosts hand over the leaf alone, or nothing
 * @throws AttestationError report_malformed, certificate_table_malformed, certificate_malformed, crl_malformed,
 * collateral_missing, leaf_kind_mismatch, signing_key_unsupported
 */
export const assembleReport = ({ report, certificateTable }: RawReport, more: AtHand): CollectedReport => {
  const table = parseCertificateTable(certificateTable)
  const fromHost = readCertificates(tableCertificates(table))
  const certificates = selectCollateral(parseReport(report), [...fromHost, ...more.certificates])
  const crl = selectCrl(table, more.crls, certificates)
  return { report, certificates: certificates.map(({ der }) => der), ...crl, table }
}
