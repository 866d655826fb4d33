import { readdir, stat } from 'node:fs/promises'
import { basename, extname, join } from 'node:path'
import { parseQuote, type TableEntry, type TableRow } from '@parley/attestation'
import { evidenceInFile } from '../../evidence-in-file.js'
import { attempt, readBounded } from '../read-file.js'

/** Some bytes, and where they were found. */
export type Found = { readonly name: string; readonly bytes: Uint8Array }

/** All that there is at a path. */
export type Source = {
  readonly report: Uint8Array | null
  /** Each DER, or PEM with one or more. */
  readonly certificates: readonly Found[]
  /** DER. */
  readonly crls: readonly Found[]
  /** What a host handed over beside certificates and CRL. */
  readonly others: readonly TableRow[]
}

const MAX_BYTES = 1 << 20
const REPORT = 'report.bin'
const CERTIFICATES: readonly string[] = ['.der', '.pem', '.cer', '.crt']
const CRL = '.crl'
const OPENING_BRACE = 0x7b
const CERTIFICATE_ENTRIES: readonly (string | null)[] = ['vcek', 'vlek', 'ask', 'ark']

const EMPTY: Source = { report: null, certificates: [], crls: [], others: [] }

const joined = (sources: readonly Source[]): Source => ({
  report: sources.map(({ report }) => report).find((report) => report !== null) ?? null,
  certificates: sources.flatMap(({ certificates }) => certificates),
  crls: sources.flatMap(({ crls }) => crls),
  others: sources.flatMap(({ others }) => others),
})

const entry = ({ guid, name, data }: TableEntry): Source => {
  if (CERTIFICATE_ENTRIES.includes(name)) {
    return { ...EMPTY, certificates: [{ name: `table entry ${name ?? guid}`, bytes: data }] }
  }
  if (name === 'crl') return { ...EMPTY, crls: [{ name: 'table entry crl', bytes: data }] }
  return { ...EMPTY, others: [{ guid, data }] }
}

const quote = (bytes: Uint8Array): Source => {
  const { report, table } = parseQuote(bytes)
  return joined([{ ...EMPTY, report }, ...table.map(entry)])
}

const DOCUMENT_PARTS = ['leaf_certificate', 'intermediate_certificate', 'root_certificate'] as const

const document = (bytes: Uint8Array): Source => {
  const evidence = evidenceInFile(bytes)
  if (evidence === null) return EMPTY
  const { report, certificates, crl } = evidence
  return {
    report,
    certificates: certificates.map((one, at) => ({ name: DOCUMENT_PARTS[at] ?? 'certificate', bytes: one })),
    crls: crl === undefined ? [] : [{ name: 'crl', bytes: crl }],
    others: [],
  }
}

const GUID_FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.bin$/

/** The name of the file that an entry of a table is kept in, beside certificates and CRL. */
export const otherName = ({ guid }: TableRow): string => `${guid}.bin`

// By their names: what is something else is none of our business, even in a folder of certificates.
const ofFile = (name: string, bytes: Uint8Array): Source => {
  const extension = extname(name).toLowerCase()
  if (name === REPORT) return { ...EMPTY, report: bytes }
  if (CERTIFICATES.includes(extension)) return { ...EMPTY, certificates: [{ name, bytes }] }
  if (extension === CRL) return { ...EMPTY, crls: [{ name, bytes }] }
  const guid = GUID_FILE.exec(name)?.[1]
  return guid === undefined ? EMPTY : { ...EMPTY, others: [{ guid, data: bytes }] }
}

const isOurs = (name: string): boolean =>
  name === REPORT || GUID_FILE.test(name) || [...CERTIFICATES, CRL].includes(extname(name).toLowerCase())

const folder = async (path: string): Promise<Source> => {
  const names = (await attempt(path, readdir(path)))
    .filter((name) => !name.startsWith('.') && isOurs(name))
    .sort()
  return joined(
    await Promise.all(
      names.map(async (name) => ofFile(name, await readBounded(join(path, name), MAX_BYTES))),
    ),
  )
}

const file = async (path: string): Promise<Source> => {
  const bytes = await readBounded(path, MAX_BYTES)
  const name = basename(path)
  if (name !== REPORT && isOurs(name)) return ofFile(name, bytes)
  return bytes[0] === OPENING_BRACE ? document(bytes) : quote(bytes)
}

/**
 * What is at a path: a folder, an evidence document, a raw quote, or a certificate or CRL by its extension.
 * @param certificates a folder with more of it, or undefined
 * @throws AttestationError, ProtocolError
 */
export const readSource = async (path: string, certificates: string | undefined): Promise<Source> => {
  const isFolder = (await attempt(path, stat(path))).isDirectory()
  const found = isFolder ? await folder(path) : await file(path)
  return certificates === undefined
    ? found
    : joined([found, { ...(await folder(certificates)), report: null }])
}
