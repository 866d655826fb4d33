import { AttestationError } from '../errors.js'
import type { TableEntry } from './parse-certificate-table.js'

/**
 * The list of revoked certificates of a table, as a part of evidence: DER, unverified; nothing where there is none.
 * @throws AttestationError certificate_table_malformed where there are two: which one would count?
 */
export const tableCrl = (table: readonly TableEntry[]): { readonly crl?: Uint8Array } => {
  const [crl, ...more] = table.filter(({ name }) => name === 'crl')
  if (more.length > 0)
    throw new AttestationError(
      'certificate_table_malformed',
      'a table holds two lists of revoked certificates',
    )
  return crl === undefined ? {} : { crl: crl.data }
}
