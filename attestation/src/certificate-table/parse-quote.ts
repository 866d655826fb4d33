import { AttestationError } from '../errors.js'
import { REPORT_BYTES } from '../report/layout.js'
import { parseCertificateTable, type TableEntry } from './parse-certificate-table.js'

/** A report together with what the host handed over beside it. */
export type Quote = { readonly report: Uint8Array; readonly table: readonly TableEntry[] }

/**
 * A raw quote, report followed by certificate table, taken apart. The report is not parsed.
 * @param quote at least 1184 bytes
 * @throws AttestationError report_malformed where it is shorter, certificate_table_malformed
 */
export const parseQuote = (quote: Uint8Array): Quote => {
  if (quote.length < REPORT_BYTES)
    throw new AttestationError('report_malformed', 'a quote is shorter than a report')
  return {
    report: new Uint8Array(quote.subarray(0, REPORT_BYTES)),
    table: parseCertificateTable(quote.subarray(REPORT_BYTES)),
  }
}
