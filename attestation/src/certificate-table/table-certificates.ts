import type { TableEntryName } from './guids.js'
import type { TableEntry } from './parse-certificate-table.js'

const CERTIFICATES: readonly (TableEntryName | null)[] = ['vcek', 'vlek', 'ask', 'ark']

/** The certificates of a table, each as the host encoded it: DER or PEM. Which is which, their names tell. */
export const tableCertificates = (table: readonly TableEntry[]): Uint8Array[] =>
  table.filter(({ name }) => CERTIFICATES.includes(name)).map(({ data }) => data)
